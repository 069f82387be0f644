import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { difyFileContext } from '../../platform/names.ts';
import { isAgentFile } from './isAgentFile.ts';
import { isLinked } from './linkOfFile.ts';

/** Which agent files are of apps in Dify: those with a sidecar file, whatever that says. Also tells the editor's menus of the active one; sends nothing. */
export class DifyFiles extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor() {
		super();
		const sidecars = this.own(vscode.workspace.createFileSystemWatcher('**/*.dify.json', false, true, false));
		sidecars.onDidCreate(() => this.#tell());
		sidecars.onDidDelete(() => this.#tell());
		this.own(vscode.window.onDidChangeActiveTextEditor(() => this.#tellMenus()));
		void this.#tellMenus();
	}

	#tell(): void {
		this.#changed.fire();
		void this.#tellMenus();
	}

	async #tellMenus(): Promise<void> {
		const document = vscode.window.activeTextEditor?.document;
		const linked = document !== undefined && isAgentFile(document) && (await isLinked(document.uri));
		// of several that were looked up, the last editor counts
		if (document === vscode.window.activeTextEditor?.document) {
			await vscode.commands.executeCommand('setContext', difyFileContext, linked);
		}
	}
}

/** Above an agent file that is of an app in Dify: what goes there and comes from there each day, and what else there is. */
export function difyLenses(uri: vscode.Uri): { readonly daily: readonly vscode.CodeLens[]; readonly more: readonly vscode.CodeLens[] } {
	const lens = (title: string, command: string, tooltip: string) =>
		new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: [uri] });
	return {
		daily: [
			lens(
				`$(repo-pull) ${vscode.l10n.t('Pull')}`,
				'agentWorkbench.difyApp.pull',
				vscode.l10n.t('Take what the app is in Dify now; nothing of yours is overwritten unless you say so'),
			),
			lens(
				`$(repo-push) ${vscode.l10n.t('Push')}`,
				'agentWorkbench.difyApp.push',
				vscode.l10n.t('Make this file the draft of its app in Dify; what was changed there is shown first'),
			),
			lens(
				`$(diff) ${vscode.l10n.t('Compare')}`,
				'agentWorkbench.difyApp.compare',
				vscode.l10n.t('Show what differs from the app in Dify'),
			),
		],
		more: [
			lens(
				vscode.l10n.t('Publish App…'),
				'agentWorkbench.difyApp.publish',
				vscode.l10n.t('Let users of the app in Dify have its draft'),
			),
			lens(
				vscode.l10n.t('Run draft in Dify'),
				'agentWorkbench.difyApp.runDraft',
				vscode.l10n.t('Run the draft of the app that this file is linked to, as it stands on its deployment'),
			),
			lens(
				vscode.l10n.t('Runs in Dify'),
				'agentWorkbench.difyApp.showRuns',
				vscode.l10n.t('Look at runs of the app on its deployment, of its draft and of what is published'),
			),
		],
	};
}
