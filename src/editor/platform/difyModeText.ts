import * as vscode from 'vscode';
import { toOneLine } from './wording.ts';

/** Returns Dify's label of an app mode. An unknown mode is returned unchanged, cut to 20 characters. */
export function getModeLabel(mode: string): string {
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
			return toOneLine(mode, 20);
	}
}
