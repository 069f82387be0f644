import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { AgentFolders } from './agentFolders.ts';
import type { BuiltInGateway } from './builtInGateway.ts';

/** Dependencies of {@link McpServerProvider}. */
export interface McpServerParts {
	readonly gateway: Pick<BuiltInGateway, 'state' | 'getEndpoint' | 'onDidChangeState'>;
	readonly folders: Pick<AgentFolders, 'listFolders' | 'onDidChange'>;
}

/** Name of the server, which VS Code makes part of its tools' names. */
const label = 'Agent Workbench';
const setting = 'agentWorkbench.mcp.enabled';

/**
 * Provides the built-in gateway to VS Code as an MCP server. The server is listed if there are agents, and started by the first chat
 * message.
 */
export class McpServerProvider extends DisposableBase {
	readonly #parts: McpServerParts;
	/** Version of the server. VS Code restarts the server when it changes. */
	#version = 1;
	/** True if VS Code was given the address of the running gateway. */
	#given = false;

	/** @param changed called when VS Code must read the definition again */
	constructor(parts: McpServerParts, changed: () => void) {
		super();
		this.#parts = parts;
		const { gateway, folders } = parts;
		this.register(
			gateway.onDidChangeState(() => {
				// the gateway may use another port after its next start
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

	/**
	 * Returns the server, or none if there are no agents or the setting is off. Has no key, because VS Code saves the definition in a file.
	 */
	listServers(): vscode.McpHttpServerDefinition[] {
		const enabled = vscode.workspace.getConfiguration().get(setting) !== false;
		return enabled && this.#parts.folders.listFolders().length > 0 ? [this.#createDefinition('http://127.0.0.1/mcp', {})] : [];
	}

	/** Returns the server with its address and key. Starts the gateway if necessary, and rejects with a Problem if it can't be started. */
	async resolveServer({ version }: Pick<vscode.McpHttpServerDefinition, 'version'>): Promise<vscode.McpHttpServerDefinition> {
		const { baseUrl, key } = await this.#parts.gateway.getEndpoint();
		this.#given = true;
		// return a new object, because VS Code keeps the listed one, which must not contain the key
		return this.#createDefinition(`${baseUrl}/mcp`, { authorization: `Bearer ${key}` }, version);
	}

	#createDefinition(url: string, headers: Record<string, string>, version = String(this.#version)): vscode.McpHttpServerDefinition {
		return new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(url), headers, version);
	}
}
