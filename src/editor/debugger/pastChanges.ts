import * as vscode from 'vscode';
import type { PastStep } from './debuggedRun.ts';

/** Asks whether to leave an earlier step whose changes would be lost. Resolves to true without asking if there are none. */
export async function confirmDiscard(past: PastStep | undefined): Promise<boolean> {
	const changes = past?.changes ?? 0;
	if (changes === 0) {
		return true;
	}
	const discard = vscode.l10n.t('Discard');
	const answer = await vscode.window.showWarningMessage(
		changes === 1 ? vscode.l10n.t('Discard 1 change?') : vscode.l10n.t('Discard {0} changes?', changes),
		{ modal: true, detail: vscode.l10n.t('To try it out instead, continue from here. This starts a fork.') },
		discard,
	);
	return answer === discard;
}

/** Returns the message that explains a change at an earlier step. */
export function getChangeMessage(): string {
	return vscode.l10n.t('The run itself stays as it is. Continue or step to start a fork from here with your change.');
}
