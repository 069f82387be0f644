import * as vscode from 'vscode';
import { type PromptState, parsePromptState } from '#pages/prompt/promptMessages.ts';
import { promptType } from '../platform/names.ts';
import { WebviewPages } from '../platform/webviewPages.ts';
import type { PromptActions } from './promptActions.ts';
import { PromptPanel } from './promptPanel.ts';

/** The open playgrounds. */
export class PromptPages extends WebviewPages<PromptState, PromptPanel> {
	constructor(extensionUri: vscode.Uri, actions: PromptActions) {
		super(extensionUri, {
			name: 'prompt',
			type: promptType,
			title: vscode.l10n.t('Prompt Playground'),
			create: (panel, state) => new PromptPanel(panel, state, actions),
			parseSaved: parsePromptState,
		});
		this.register(actions.compared);
	}

	/** Opens a prompt. One that is already open is revealed, with what changed in its file. */
	openPrompt(state: PromptState): void {
		const open = this.pages.find(page => page.isFor(state));
		if (open) {
			open.refreshPrompt(state);
		}
		this.openPage(state, page => page === open);
	}
}
