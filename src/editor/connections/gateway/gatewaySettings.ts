import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { networkSection } from '../networkSettings.ts';

/** Section of the built-in gateway's settings. */
export const gatewaySection = 'agentWorkbench.gateway';

/**
 * Reports changes of the settings that the built-in gateway reads when it starts, including the editor's network settings. They are read from the user
 * settings only, except for the port, and for folders of documents inside a trusted workspace. The gateway validates them. `gatewaySetup` reads them.
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
/** Settings that are passed to the gateway as flags. */
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

/** Returns the datasets in the settings of a trusted workspace, by workspace folder. */
export function workspaceDatasets(): { readonly folder: string; readonly value: unknown }[] {
	const folders = isTrusted() ? (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file') : [];
	return folders.flatMap(({ uri }) => {
		const said = vscode.workspace.getConfiguration(gatewaySection, uri).inspect('knowledge');
		return [said?.workspaceValue, said?.workspaceFolderValue]
			.filter(value => value !== undefined)
			.map(value => ({ folder: uri.fsPath, value }));
	});
}
