import * as vscode from 'vscode';
import { oneLine } from './wording.ts';

/** The mode of an app as Dify's users call it; one that is not known, as it is. */
export function modeText(mode: string): string {
	switch (mode) {
		case 'workflow':
			return vscode.l10n.t('workflow');
		case 'advanced-chat':
			return vscode.l10n.t('chatflow');
		case 'chat':
			return vscode.l10n.t('chatbot');
		case 'agent-chat':
			return vscode.l10n.t('agent');
		case 'completion':
			return vscode.l10n.t('text generator');
		default:
			return oneLine(mode, 20);
	}
}
