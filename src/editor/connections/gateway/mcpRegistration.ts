import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { McpServerParts, McpServerProvider } from './mcpServers.ts';

/** Registers the built-in gateway as an MCP server for VS Code's own chat. Loads {@link McpServerProvider} on first use. */
export class McpRegistration extends DisposableBase {
	constructor(parts: McpServerParts) {
		super();
		const changed = this.register(new vscode.EventEmitter<void>());
		let servers: Promise<McpServerProvider> | undefined;
		const loadProvider = () => {
			servers ??= import('./mcpServers.ts').then(loaded => this.register(new loaded.McpServerProvider(parts, () => changed.fire())));
			return servers;
		};
		this.register(
			vscode.lm.registerMcpServerDefinitionProvider('agent-workbench', {
				onDidChangeMcpServerDefinitions: changed.event,
				provideMcpServerDefinitions: async () => (await loadProvider()).listServers(),
				resolveMcpServerDefinition: async server => (await loadProvider()).resolveServer(server),
			}),
		);
	}
}
