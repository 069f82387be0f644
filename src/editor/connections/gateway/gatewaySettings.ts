import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isWorkspaceTrusted, onDidGrantTrust } from '../../platform/trust.ts';
import { networkSection } from '../networkSettings.ts';

/** Name of the section with the built-in gateway's settings. */
export const gatewaySection = 'agentWorkbench.gateway';

/** Gateway flags by the name of the setting that they pass on. */
export const flagSettings = { port: '--port', maxConcurrentRuns: '--max-concurrent-runs', retentionDays: '--retention-days' };

/** The only setting in this section that a running gateway applies without a restart. */
const appliedSetting = `${gatewaySection}.agentFolders`;

/**
 * Reports changes of settings, including VS Code's network settings, that a running gateway applies only after a restart. Workspaces can
 * set only the port and, once trusted, folders with documents inside the workspace. All other settings come from the user settings on this
 * machine.
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

/** Returns the values of the knowledge setting in the workspace and its folders, or none in an untrusted workspace. */
export function readWorkspaceDatasets(): { readonly folder: string; readonly value: unknown }[] {
	const folders = isWorkspaceTrusted() ? (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file') : [];
	return folders.flatMap(({ uri }) => {
		const said = vscode.workspace.getConfiguration(gatewaySection, uri).inspect('knowledge');
		return [said?.workspaceValue, said?.workspaceFolderValue]
			.filter(value => value !== undefined)
			.map(value => ({ folder: uri.fsPath, value }));
	});
}
