import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isWorkspaceTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { networkSection } from '../networkSettings.ts';

/** Section of the built-in gateway's settings. */
export const gatewaySection = 'agentWorkbench.gateway';

/** Settings that are passed to the gateway as flags. */
export const flagSettings = { port: '--port', maxConcurrentRuns: '--max-concurrent-runs', retentionDays: '--retention-days' };

/** The only setting of the section that a running gateway applies without a restart. */
const appliedSetting = `${gatewaySection}.agentFolders`;

/**
 * Reports changes of settings that a running gateway applies only after a restart, VS Code's network settings included. Workspaces can only set the port and, once trusted, folders of documents inside
 * them; everything else comes from the user's settings on this machine. `readGatewaySetup` reads the values, and the gateway checks them.
 */
export class GatewaySettings extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor() {
		super();
		this.register(
			vscode.workspace.onDidChangeConfiguration(event => {
				const isGatewayChanged = event.affectsConfiguration(gatewaySection) && !event.affectsConfiguration(appliedSetting);
				if (isGatewayChanged || event.affectsConfiguration(networkSection)) {
					this.#changed.fire();
				}
			}),
		);
		this.register(
			onDidGrantTrust(() => {
				if (readWorkspaceDatasets().length > 0) {
					this.#changed.fire();
				}
			}),
		);
	}
}

/** Values of the knowledge setting in the workspace and its folders. Empty in an untrusted workspace. */
export function readWorkspaceDatasets(): { readonly folder: string; readonly value: unknown }[] {
	const folders = isWorkspaceTrusted() ? (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file') : [];
	return folders.flatMap(({ uri }) => {
		const said = vscode.workspace.getConfiguration(gatewaySection, uri).inspect('knowledge');
		return [said?.workspaceValue, said?.workspaceFolderValue]
			.filter(value => value !== undefined)
			.map(value => ({ folder: uri.fsPath, value }));
	});
}
