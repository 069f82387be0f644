import * as vscode from 'vscode';
import { type KeptReview, parseKeptReview } from '#pages/review/reviewMessages.ts';
import { WebviewPages } from '../../platform/webviewPages.ts';
import { ReviewPanel, type ReviewPanelParts } from './reviewPanel.ts';

/** The open review pages, one for each suite. */
export class ReviewPages extends WebviewPages<KeptReview, ReviewPanel> {
	constructor(extensionUri: vscode.Uri, parts: ReviewPanelParts) {
		super(extensionUri, {
			name: 'review',
			title: vscode.l10n.t('Review'),
			create: (panel, kept) => new ReviewPanel(panel, kept, parts),
			parseSaved: parseKeptReview,
		});
	}

	/** Opens the page of a suite, with the outputs of a batch or else of the newest one with judged outputs. */
	async openReview(suite: vscode.Uri, batch: string | undefined): Promise<void> {
		const page = this.openPage({ suite: suite.toString(), batch }, each => each.suite.toString() === suite.toString());
		await page.showBatch(batch);
	}
}
