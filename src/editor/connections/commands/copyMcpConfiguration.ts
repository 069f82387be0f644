import * as vscode from 'vscode';
import { getTerminalShell } from '../useIn/clientSetups.ts';
import { isPortFixed, showCopied } from '../useIn/fixedPort.ts';
import { keyVariable, type McpSetup, mcpSetups } from '../useIn/mcpSetups.ts';
import type { ActionContext } from './connectionActions.ts';

/**
 * Copies the configuration that a program needs to use the built-in gateway's agents as tools. Leaves out the key, because such files are
 * often shared. The user can copy the key separately.
 */
export async function copyMcpConfiguration({ builtIn }: Pick<ActionContext, 'builtIn'>): Promise<void> {
	const items = mcpSetups.map(setup => ({
		label: setup.label,
		description: setup.file ?? vscode.l10n.t('command for a terminal'),
		setup,
	}));
	const title = vscode.l10n.t('Use agents as tools in…');
	const choice = await vscode.window.showQuickPick(items, {
		title,
		placeHolder: vscode.l10n.t('Select the program to copy the configuration for'),
	});
	if (!choice) {
		return;
	}
	const { setup } = choice;
	const { baseUrl, key } = await builtIn();
	await vscode.env.clipboard.writeText(setup.format(`${baseUrl}/mcp`, getTerminalShell()));
	const copyKey = vscode.l10n.t('Copy key');
	const message = [
		vscode.l10n.t('Copied the configuration for {0}, without the key.', setup.label),
		getPasteHint(setup),
		getKeyHint(setup),
		getPortHint(),
	];
	if ((await showCopied(message, baseUrl, copyKey)) === copyKey) {
		await vscode.env.clipboard.writeText(key);
		void vscode.window.showInformationMessage(
			vscode.l10n.t(
				'Copied the key. Anyone who has it can run agents and use models through this gateway, so keep it out of shared files.',
			),
		);
	}
}

function getPasteHint({ file }: McpSetup): string {
	return file === undefined ? vscode.l10n.t('Paste it into a terminal.') : vscode.l10n.t('Paste it into {0}.', file);
}

function getKeyHint({ key }: McpSetup): string {
	return key === 'asks'
		? vscode.l10n.t("You'll be asked for the key when the server starts.")
		: vscode.l10n.t("The key is read from the environment variable '{0}'.", keyVariable);
}

/** Returns a note that the agents are only available while the gateway runs, which depends on an open window. */
function getPortHint(): string {
	return isPortFixed()
		? vscode.l10n.t('The gateway only runs while this window is open.')
		: vscode.l10n.t("The gateway's port changes each time it starts, unless you set 'agentWorkbench.gateway.port'.");
}
