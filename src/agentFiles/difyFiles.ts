import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { difyFileContext } from '../common/names.ts';
import { linkPathOf } from '../difySync/files/linkFile.ts';
import { isAgentFile } from './isAgentFile.ts';

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

	/** Whether a sidecar file lies beside an agent file. */
	async isLinked(uri: vscode.Uri): Promise<boolean> {
		return uri.scheme === 'file' && (await stat(linkPathOf(uri.fsPath)).catch(() => undefined))?.isFile() === true;
	}

	#tell(): void {
		this.#changed.fire();
		void this.#tellMenus();
	}

	async #tellMenus(): Promise<void> {
		const document = vscode.window.activeTextEditor?.document;
		const isLinked = document !== undefined && isAgentFile(document) && (await this.isLinked(document.uri));
		// of several that were looked up, the last editor counts
		if (document === vscode.window.activeTextEditor?.document) {
			await vscode.commands.executeCommand('setContext', difyFileContext, isLinked);
		}
	}
}

/** Above an agent file that is of an app in Dify: what goes there and comes from there. */
export function difyLenses(uri: vscode.Uri): vscode.CodeLens[] {
	const lens = (title: string, command: string, tooltip: string) =>
		new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: [uri] });
	return [
		lens(
			`$(cloud-download) ${vscode.l10n.t('Pull')}`,
			'agentWorkbench.difyApp.pull',
			vscode.l10n.t('Take what the app is in Dify now; nothing of yours is overwritten unless you say so'),
		),
		lens(
			`$(cloud-upload) ${vscode.l10n.t('Push')}`,
			'agentWorkbench.difyApp.push',
			vscode.l10n.t('Make this file the draft of its app in Dify; what was changed there is shown first'),
		),
		lens(vscode.l10n.t('Compare with Dify'), 'agentWorkbench.difyApp.compare', vscode.l10n.t('Show what differs from the app in Dify')),
		lens(vscode.l10n.t('Publish in Dify…'), 'agentWorkbench.difyApp.publish', vscode.l10n.t('Let users of the app in Dify have its draft')),
	];
}
