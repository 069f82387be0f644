import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { networkSection } from '../networkSettings.ts';

/** Section of the settings of the built-in gateway. */
export const gatewaySection = 'agentWorkbench.gateway';

/**
 * Settings of the built-in gateway that take effect when it starts: routes, agents and datasets on Dify deployments, tools, folders of documents, what nodes
 * may do, and the editor's own settings of the network. They are the user's on this machine; what a workspace says of them is not read, but for its port, and the
 * folders of documents inside of it, once it is trusted. Their form is the gateway's own, which checks them. `gatewaySetup` reads them.
 */
export class GatewaySettings extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor() {
		super();
		this.own(
			vscode.workspace.onDidChangeConfiguration(event => {
				if ([...names.map(name => `${gatewaySection}.${name}`), ...networkNames].some(name => event.affectsConfiguration(name))) {
					this.#changed.fire();
				}
			}),
		);
		this.own(
			onDidGrantTrust(() => {
				if (workspaceDatasets().length > 0) {
					this.#changed.fire();
				}
			}),
		);
	}
}

const networkNames = ['proxy', 'noProxy', 'proxyStrictSSL'].map(name => `${networkSection}.${name}`);
/** Settings that are flags of the gateway. */
export const flagSettings = { port: '--port', maxConcurrentRuns: '--max-concurrent-runs', retentionDays: '--retention-days' };
const names = [
	'routes',
	'remoteAgents',
	'agentsAsModels',
	'mcpServers',
	'apiTools',
	'search',
	'knowledge',
	'python',
	'maxSteps',
	'maxPausedDays',
	'allowPrivateNetwork',
	'requestLog',
	'allowedOrigins',
	...Object.keys(flagSettings),
];

/** What the workspace says of datasets, which counts once it is trusted. */
export function workspaceDatasets(): { readonly folder: string; readonly value: unknown }[] {
	const folders = isTrusted() ? (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file') : [];
	return folders.flatMap(({ uri }) => {
		const said = vscode.workspace.getConfiguration(gatewaySection, uri).inspect('knowledge');
		return [said?.workspaceValue, said?.workspaceFolderValue]
			.filter(value => value !== undefined)
			.map(value => ({ folder: uri.fsPath, value }));
	});
}
