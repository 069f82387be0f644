import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { difyFileContext } from '../../platform/names.ts';
import { isAgentFile } from './isAgentFile.ts';
import { isLinkedToApp } from './linkOfFile.ts';

/** Tracks which agent files are linked to apps in Dify by sidecar files. Sets the context key for the active file. Sends no requests. */
export class DifyFiles extends DisposableBase {
	readonly #changed = this.register(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor() {
		super();
		const sidecars = this.register(vscode.workspace.createFileSystemWatcher('**/*.dify.json', false, true, false));
		sidecars.onDidCreate(() => this.#onSidecarChange());
		sidecars.onDidDelete(() => this.#onSidecarChange());
		this.register(vscode.window.onDidChangeActiveTextEditor(() => this.#updateContextKey()));
		void this.#updateContextKey();
	}

	#onSidecarChange(): void {
		this.#changed.fire();
		void this.#updateContextKey();
	}

	async #updateContextKey(): Promise<void> {
		const document = vscode.window.activeTextEditor?.document;
		const linked = document !== undefined && isAgentFile(document) && (await isLinkedToApp(document.uri));
		// the user may have switched to another editor during the lookup
		if (document === vscode.window.activeTextEditor?.document) {
			await vscode.commands.executeCommand('setContext', difyFileContext, linked);
		}
	}
}

/** Creates the lenses above a linked agent file: `daily` for frequent commands, `more` for the others. */
export function createDifyLenses(uri: vscode.Uri): {
	readonly daily: readonly vscode.CodeLens[];
	readonly more: readonly vscode.CodeLens[];
} {
	const createLens = (title: string, command: string, tooltip: string) =>
		new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, tooltip, arguments: [uri] });
	return {
		daily: [
			createLens(
				vscode.l10n.t('$(repo-pull) Pull'),
				'agentWorkbench.difyApp.pull',
				vscode.l10n.t('Pull the app from Dify. Local changes are only overwritten if you confirm.'),
			),
			createLens(
				vscode.l10n.t('$(repo-push) Push'),
				'agentWorkbench.difyApp.push',
				vscode.l10n.t('Push this file to Dify as the draft of the app. Changes made in Dify are shown first.'),
			),
			createLens(
				vscode.l10n.t('$(diff) Compare'),
				'agentWorkbench.difyApp.compare',
				vscode.l10n.t('Compare this file with the app in Dify'),
			),
		],
		more: [
			createLens(vscode.l10n.t('Publish App…'), 'agentWorkbench.difyApp.publish', vscode.l10n.t('Publish the draft in Dify')),
			createLens(
				vscode.l10n.t('Run draft in Dify'),
				'agentWorkbench.difyApp.runDraft',
				vscode.l10n.t('Run the draft of the linked app on its Dify server'),
			),
			createLens(
				vscode.l10n.t('Runs in Dify'),
				'agentWorkbench.difyApp.showRuns',
				vscode.l10n.t('Show draft runs and published runs of the app on its Dify server'),
			),
		],
	};
}
