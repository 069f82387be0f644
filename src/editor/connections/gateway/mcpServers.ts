import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { AgentFolders } from './agentFolders.ts';
import type { BuiltInGateway } from './builtInGateway.ts';

/** Dependencies of {@link McpServerProvider}. */
export interface McpServerParts {
	readonly gateway: Pick<BuiltInGateway, 'state' | 'getEndpoint' | 'onDidChangeState'>;
	readonly folders: Pick<AgentFolders, 'list' | 'onDidChange'>;
}

/** Name of the server, which is part of its tools' names. */
const label = 'Agent Workbench';
const setting = 'agentWorkbench.mcp.enabled';

/**
 * Provides the built-in gateway to VS Code as an MCP server. It is listed if there are agents, and started by the first message of a chat.
 * Loaded by `McpRegistration` on first use.
 */
export class McpServerProvider extends DisposableBase {
	readonly #parts: McpServerParts;
	/** VS Code restarts the server when the version changes. */
	#version = 1;
	/** True if VS Code has the address of the running gateway. */
	#given = false;

	/** @param changed is called when VS Code has to ask again */
	constructor(parts: McpServerParts, changed: () => void) {
		super();
		this.#parts = parts;
		const { gateway, folders } = parts;
		this.register(
			gateway.onDidChangeState(() => {
				// the next gateway has another port
				if (this.#given && gateway.state.kind !== 'ready') {
					this.#given = false;
					this.#version++;
					changed();
				}
			}),
		);
		this.register(folders.onDidChange(changed));
		this.register(vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration(setting) && changed()));
	}

	/** Returns the server, or nothing if there are no agents or the setting is off. VS Code saves this in a file, so it doesn't contain the key. */
	provide(): vscode.McpHttpServerDefinition[] {
		const enabled = vscode.workspace.getConfiguration().get(setting) !== false;
		return enabled && this.#parts.folders.list().length > 0 ? [this.#createDefinition('http://127.0.0.1/mcp', {})] : [];
	}

	/** Returns the server with its address and key, and starts the gateway if needed. Rejects with a Problem if it can't be started. */
	async resolve({ version }: Pick<vscode.McpHttpServerDefinition, 'version'>): Promise<vscode.McpHttpServerDefinition> {
		const { baseUrl, key } = await this.#parts.gateway.getEndpoint();
		this.#given = true;
		// return a new object: VS Code keeps the listed one
		return this.#createDefinition(`${baseUrl}/mcp`, { authorization: `Bearer ${key}` }, version);
	}

	#createDefinition(url: string, headers: Record<string, string>, version = String(this.#version)): vscode.McpHttpServerDefinition {
		return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), headers, version);
	}
}
