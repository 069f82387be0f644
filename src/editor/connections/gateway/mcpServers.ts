import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { AgentFolders } from './agentFolders.ts';
import type { BuiltInGateway } from './builtInGateway.ts';

/** What the MCP server of VS Code is made of. */
export interface McpServerParts {
	readonly gateway: Pick<BuiltInGateway, 'state' | 'endpoint' | 'onDidChangeState'>;
	readonly folders: Pick<AgentFolders, 'list' | 'onDidChange'>;
}

/** The server's name: its tools are called after it. */
const label = 'Agent Workbench';
const setting = 'agentWorkbench.mcp.enabled';

/**
 * The MCP server that VS Code has of the built-in gateway: listed where there are agents, started with the first message of a chat. A chunk of its own,
 * loaded by `McpRegistration`.
 */
export class McpServerProvider extends DisposableBase {
	readonly #parts: McpServerParts;
	/** VS Code starts a server of another version anew. */
	#version = 1;
	/** Whether VS Code was told of a gateway that still runs. */
	#given = false;

	/** @param changed is called when VS Code is to ask again */
	constructor(parts: McpServerParts, changed: () => void) {
		super();
		this.#parts = parts;
		const { gateway, folders } = parts;
		this.own(
			gateway.onDidChangeState(() => {
				// the next gateway has another port
				if (this.#given && gateway.state.kind !== 'ready') {
					this.#given = false;
					this.#version++;
					changed();
				}
			}),
		);
		this.own(folders.onDidChange(changed));
		this.own(vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(setting) && changed()));
	}

	/** What is listed: nothing where there are no agents, or the user wants none. VS Code keeps it in a file, so no key stands in it. */
	provide(): vscode.McpHttpServerDefinition[] {
		const enabled = vscode.workspace.getConfiguration().get(setting) !== false;
		return enabled && this.#parts.folders.list().length > 0 ? [this.#definition('http://127.0.0.1/mcp', {})] : [];
	}

	/** Where it is, and its key; starts the gateway where it is not running. Rejects with a Problem that says why it does not start. */
	async resolve({ version }: Pick<vscode.McpHttpServerDefinition, 'version'>): Promise<vscode.McpHttpServerDefinition> {
		const { baseUrl, key } = await this.#parts.gateway.endpoint();
		this.#given = true;
		// a new object: the one that was listed is kept
		return this.#definition(`${baseUrl}/mcp`, { authorization: `Bearer ${key}` }, version);
	}

	#definition(url: string, headers: Record<string, string>, version = String(this.#version)): vscode.McpHttpServerDefinition {
		return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), headers, version);
	}
}
