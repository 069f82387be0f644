import * as vscode from 'vscode';
import { escapeLinks } from '../../platform/wording.ts';

/** Returns true if the built-in gateway uses the same port each time it starts. */
export function isPortFixed(): boolean {
	return Boolean(vscode.workspace.getConfiguration('agentWorkbench').get('gateway.port'));
}

/**
 * Shows a message about a copied address. If it contains the changing port of the built-in gateway, a button sets this port in the user
 * settings.
 * @returns the chosen one of `buttons`
 */
export async function showCopied(
	sentences: readonly string[],
	gatewayUrl: string | undefined,
	...buttons: string[]
): Promise<string | undefined> {
	const port = gatewayUrl === undefined || isPortFixed() ? undefined : Number(new URL(gatewayUrl).port);
	const keepPort = vscode.l10n.t('Keep port {0}', String(port));
	const offered = [...buttons, ...(port ? [keepPort] : [])];
	const choice = await vscode.window.showInformationMessage(escapeLinks(sentences.filter(Boolean).join(' ')), ...offered);
	if (choice === keepPort) {
		await vscode.workspace.getConfiguration('agentWorkbench').update('gateway.port', port, vscode.ConfigurationTarget.Global);
		return buttons.length > 0 ? showCopied(sentences, gatewayUrl, ...buttons) : undefined;
	}
	return choice;
}
