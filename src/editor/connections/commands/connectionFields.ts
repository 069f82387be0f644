import * as vscode from 'vscode';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import { isUnencrypted, normalizeBaseUrl } from '../baseUrl.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import { getKindFacts } from '../kindFacts.ts';

/** Inputs for the fields of a connection. Each resolves to `undefined` if the user cancels. */

export async function askForKind(title: string, current?: ServiceKind): Promise<ServiceKind | undefined> {
	const kinds = getKindFacts();
	const items = (Object.keys(kinds) as ServiceKind[]).map(kind => ({
		label: kinds[kind].label,
		description: kind === current ? vscode.l10n.t('current') : '',
		detail: kinds[kind].detail,
		value: kind,
	}));
	return (
		await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Select the kind of service'), ignoreFocusOut: true })
	)?.value;
}

export async function askForBaseUrl(title: string, kind: ServiceKind, current?: string): Promise<string | undefined> {
	const { baseUrlHelp, exampleUrl, baseUrls } = getKindFacts()[kind];
	if (current === undefined && baseUrls.length > 0) {
		const chosen = await pickBaseUrl(title, baseUrls);
		if (chosen !== 'other') {
			return chosen;
		}
	}
	const text = await vscode.window.showInputBox({
		title,
		prompt: baseUrlHelp,
		placeHolder: exampleUrl,
		value: current ?? '',
		ignoreFocusOut: true,
		validateInput: validateBaseUrl,
	});
	return text === undefined ? undefined : normalizeBaseUrl(text);
}

/** Lets the user pick a known address, or type or paste one. Resolves to `other` if the user wants a separate input. */
async function pickBaseUrl(
	title: string,
	baseUrls: readonly { readonly label: string; readonly url: string }[],
): Promise<string | 'other' | undefined> {
	type Item = vscode.QuickPickItem & { url: string };
	const known = baseUrls.map(({ label, url }): Item => ({ label, description: url, url }));
	// show this item even if the typed text doesn't match it
	const other: Item = { label: vscode.l10n.t('Other address…'), url: 'other', alwaysShow: true };
	const pick = vscode.window.createQuickPick<Item>();
	pick.title = title;
	pick.placeholder = vscode.l10n.t('Select or enter a base URL');
	pick.ignoreFocusOut = true;
	pick.matchOnDescription = true;
	pick.items = [...known, other];
	const { promise, resolve } = Promise.withResolvers<string | undefined>();
	pick.onDidChangeValue(text => {
		const url = normalizeBaseUrl(text);
		const typed: Item[] = url === undefined ? [] : [{ label: url, description: vscode.l10n.t('use this address'), url, alwaysShow: true }];
		pick.items = [...typed, ...known.filter(item => item.url !== url), other];
	});
	pick.onDidAccept(() => resolve(pick.selectedItems[0]?.url));
	pick.onDidHide(() => resolve(undefined));
	pick.show();
	return promise.finally(() => pick.dispose());
}

export function askForName(title: string, value: string, taken: readonly string[]): Promise<string | undefined> {
	return askForText(title, vscode.l10n.t('Name of the connection'), value, text => {
		if (text === '') {
			return vscode.l10n.t('Enter a name.');
		}
		return taken.includes(text) ? vscode.l10n.t('A connection with this name already exists.') : undefined;
	});
}

/** Asks for the name of the end user. An empty string stands for the user name on this machine. */
export function askForUser(title: string, value: string): Promise<string | undefined> {
	return askForText(
		title,
		vscode.l10n.t('End user to send with runs and conversations. Leave empty to use your user name on this machine.'),
		value,
	);
}

/** Asks for agent names, separated by commas. */
export async function askForAgents(title: string, { agents = [] }: Pick<ConnectionEntry, 'agents'>): Promise<string[] | undefined> {
	const text = await askForText(title, vscode.l10n.t('Agent names, separated by commas'), agents.join(', '));
	return text === undefined ? undefined : [...new Set(text.split(',').map(name => name.trim()))].filter(name => name !== '');
}

async function askForText(
	title: string,
	prompt: string,
	value: string,
	check?: (text: string) => string | undefined,
): Promise<string | undefined> {
	const validateInput = (text: string) => check?.(text.trim());
	return (await vscode.window.showInputBox({ title, prompt, value, ignoreFocusOut: true, validateInput }))?.trim();
}

function validateBaseUrl(text: string): vscode.InputBoxValidationMessage | string | undefined {
	const url = normalizeBaseUrl(text);
	if (!url) {
		return vscode.l10n.t('Enter an https:// or http:// address without a user name or password.');
	}
	return isUnencrypted(url)
		? {
				severity: vscode.InputBoxValidationSeverity.Warning,
				message: vscode.l10n.t('Keys and prompts are sent to this address without encryption.'),
			}
		: undefined;
}
