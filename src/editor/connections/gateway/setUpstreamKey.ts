import * as vscode from 'vscode';
import { escapeLinks } from '../../platform/wording.ts';
import { readGatewaySetup } from './gatewaySetup.ts';
import type { UpstreamKeyUse } from './namedKeys.ts';
import type { UpstreamKeys } from './upstreamKeys.ts';

/** Lets the user set or remove one of the keys that the gateway's settings name. Resolves to true if that changed a key. */
export async function setUpstreamKey(keys: UpstreamKeys): Promise<boolean> {
	const uses = readGatewaySetup().keys;
	if (uses.length === 0) {
		const open = vscode.l10n.t('Open settings');
		const choice = await vscode.window.showInformationMessage(
			vscode.l10n.t("No setting of the built-in gateway uses a key. Add a route with a 'key' first."),
			open,
		);
		if (choice === open) {
			await vscode.commands.executeCommand('workbench.action.openSettings', 'agentWorkbench.gateway');
		}
		return false;
	}
	const use = await chooseKeyUse(uses, keys);
	if (!use) {
		return false;
	}
	const key = await vscode.window.showInputBox({
		title: vscode.l10n.t("Upstream key '{0}'", use.name),
		prompt: escapeLinks(vscode.l10n.t('Sent only to {0}. Saved in the system keyring. Leave empty to remove the key.', use.origin)),
		password: true,
		ignoreFocusOut: true,
	});
	if (key === undefined) {
		return false;
	}
	await (key.trim() === '' ? keys.removeKey(use) : keys.set(use, key.trim()));
	return true;
}

async function chooseKeyUse(uses: readonly UpstreamKeyUse[], keys: UpstreamKeys): Promise<UpstreamKeyUse | undefined> {
	const items = await Promise.all(
		uses.map(async use => ({
			label: use.name,
			description: use.origin,
			detail:
				(await keys.get(use)) === undefined
					? vscode.l10n.t('Not set')
					: vscode.l10n.t({ message: 'Set', comment: ['adjective: the key has a value'] }),
			use,
		})),
	);
	const choice = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Upstream keys of the built-in gateway'),
		placeHolder: vscode.l10n.t('Select a key to set or remove'),
	});
	return choice?.use;
}
