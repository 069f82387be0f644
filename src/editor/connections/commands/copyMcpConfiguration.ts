import * as vscode from 'vscode';
import { keyVariable, type McpSetup, mcpSetups } from '../useIn/mcpSetups.ts';
import type { ActionContext } from './connectionActions.ts';

/**
 * Copies what a program of the user's choice needs to use the agents of the built-in gateway as tools. The key is copied apart, where the user asks for it: such
 * files are committed and shared.
 */
export async function copyMcpConfiguration({ builtIn }: Pick<ActionContext, 'builtIn'>): Promise<void> {
	const items = mcpSetups.map(setup => ({
		label: setup.label,
		description: setup.file ?? vscode.l10n.t('a line for a terminal'),
		setup,
	}));
	const title = vscode.l10n.t('Use agents as tools in…');
	const choice = await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Program to copy the configuration for') });
	if (!choice) {
		return;
	}
	const { setup } = choice;
	const { baseUrl, key } = await builtIn();
	await vscode.env.clipboard.writeText(setup.text(`${baseUrl}/mcp`, process.platform === 'win32' ? 'powershell' : 'posix'));
	const copyKey = vscode.l10n.t('Copy Key');
	const words = [vscode.l10n.t('Copied for {0}, without the key.', setup.label), place(setup), keyPlace(setup), lifetime()];
	if ((await vscode.window.showInformationMessage(words.filter(Boolean).join(' '), copyKey)) === copyKey) {
		await vscode.env.clipboard.writeText(key);
		void vscode.window.showInformationMessage(
			vscode.l10n.t(
				'The key is on the clipboard. Whoever has it can run agents and ask models by this gateway: keep it out of files that are shared.',
			),
		);
	}
}

function place({ file }: McpSetup): string {
	return file === undefined ? vscode.l10n.t('Paste it into a terminal.') : vscode.l10n.t('Paste it into {0}.', file);
}

function keyPlace({ key }: McpSetup): string {
	return key === 'asks'
		? vscode.l10n.t('It asks for the key when it starts the server.')
		: vscode.l10n.t('It takes the key from the environment variable {0}.', keyVariable);
}

/** Agents are there while the gateway is, and the gateway while a window is. */
function lifetime(): string {
	return vscode.workspace.getConfiguration('agentWorkbench').get('gateway.port')
		? vscode.l10n.t('The gateway is there while this window is open.')
		: vscode.l10n.t('The gateway has another port after each start, unless the setting agentWorkbench.gateway.port names one.');
}
