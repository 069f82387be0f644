import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { firstListing, type KeptResults, parseKeptResults } from '#pages/results/resultsMessages.ts';
import { resultsType } from '../../platform/names.ts';
import { tabIcon } from '../../platform/tabIcon.ts';
import { webviewPage, webviewRoots } from '../../platform/webviewPage.ts';
import { ResultsPanel, type ResultsPanelParts } from './resultsPanel.ts';

/** The pages of results that are open, one for each suite. */
export class ResultsPages extends DisposableBase {
	readonly #extensionUri: vscode.Uri;
	readonly #parts: ResultsPanelParts;
	readonly #panels = new Map<ResultsPanel, vscode.WebviewPanel>();

	constructor(extensionUri: vscode.Uri, parts: ResultsPanelParts) {
		super();
		this.#extensionUri = extensionUri;
		this.#parts = parts;
		this.own({ dispose: () => [...this.#panels.values()].map(panel => panel.dispose()) });
	}

	/** Opens the results of a suite. */
	open(suite: vscode.Uri): void {
		const open = [...this.#panels.keys()].find(panel => panel.suite.toString() === suite.toString());
		if (open) {
			open.reveal();
			return;
		}
		const panel = vscode.window.createWebviewPanel(resultsType, vscode.l10n.t('Results'), vscode.ViewColumn.Active);
		this.#fill(panel, { suite: suite.toString(), listing: firstListing });
	}

	/** Puts results into a panel that the editor brings back; one that does not tell which is closed. */
	restore(panel: vscode.WebviewPanel, state: unknown): void {
		const kept = parseKeptResults(state);
		if (kept) {
			this.#fill(panel, kept);
		} else {
			panel.dispose();
		}
	}

	#fill(webviewPanel: vscode.WebviewPanel, kept: KeptResults): void {
		const { webview } = webviewPanel;
		webview.options = { enableScripts: true, localResourceRoots: webviewRoots(this.#extensionUri) };
		webviewPanel.iconPath = tabIcon(this.#extensionUri);
		const panel = new ResultsPanel(webviewPanel, kept, this.#parts);
		this.#panels.set(panel, webviewPanel);
		webviewPanel.onDidDispose(() => {
			panel.dispose();
			this.#panels.delete(panel);
		});
		webview.html = webviewPage(webview, this.#extensionUri, 'results', webviewPanel.title);
	}
}
