import * as vscode from 'vscode';
import { firstListing, type KeptResults, parseKeptResults, type ResultsView } from '#pages/results/resultsMessages.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { ResultsPanel, type ResultsPanelParts } from './resultsPanel.ts';

/** The open results pages, one for each suite. */
export class ResultsPages extends WebviewPages<KeptResults, ResultsPanel> {
	constructor(extensionUri: vscode.Uri, parts: ResultsPanelParts) {
		super(extensionUri, {
			name: 'results',
			title: vscode.l10n.t('Results'),
			create: (panel, kept) => new ResultsPanel(panel, kept, parts),
			parseSaved: parseKeptResults,
		});
	}

	/** The suite of the page that has the focus. */
	get activeSuite(): vscode.Uri | undefined {
		return this.pages.find(page => page.isActive)?.suite;
	}

	/** True if the results of a suite are visible. */
	isVisible(suite: vscode.Uri): boolean {
		return this.pages.some(page => page.isVisible && page.suite.toString() === suite.toString());
	}

	/** Opens the page of a suite with the results of its last batch, or with the trend of its history. */
	openResults(suite: vscode.Uri, view: ResultsView = 'results'): void {
		const kept = { suite: suite.toString(), listing: firstListing, view };
		this.openPage(kept, page => page.suite.toString() === suite.toString()).showView(view);
	}
}
