import * as vscode from 'vscode';
import { firstListing, type KeptResults, parseKeptResults } from '#pages/results/resultsMessages.ts';
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

	openResults(suite: vscode.Uri): void {
		this.openPage({ suite: suite.toString(), listing: firstListing }, page => page.suite.toString() === suite.toString());
	}
}
