import * as vscode from 'vscode';
import { isUnencrypted, normalizeBaseUrl } from './baseUrl.ts';
import type { ConnectionEntry } from './connectionSettings.ts';
import { type ServiceKind, serviceKinds } from './kinds.ts';

/** The inputs for the fields of a connection. Each resolves to `undefined` when the user backs out. */

export async function askKind(title: string): Promise<ServiceKind | undefined> {
	const kinds = serviceKinds();
	const items = (Object.keys(kinds) as ServiceKind[]).map(kind => ({ label: kinds[kind].label, detail: kinds[kind].detail, value: kind }));
	return (await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('Kind of service'), ignoreFocusOut: true }))?.value;
}

export async function askBaseUrl(title: string, kind: ServiceKind, current?: string): Promise<string | undefined> {
	const { baseUrls } = serviceKinds()[kind];
	if (current === undefined && baseUrls.length > 0) {
		const other = { label: vscode.l10n.t('Another address…'), description: '', url: '' };
		const known = baseUrls.map(({ label, url }) => ({ label, description: url, url }));
		const choice = await vscode.window.showQuickPick([...known, other], {
			title,
			placeHolder: vscode.l10n.t('Base URL'),
			ignoreFocusOut: true,
		});
		if (choice?.url !== '') {
			return choice?.url;
		}
	}
	const text = await vscode.window.showInputBox({
		title,
		prompt: vscode.l10n.t('Base URL of the service. Paths such as /v1/messages are added to it.'),
		placeHolder: 'https://gateway.example.com',
		value: current ?? '',
		ignoreFocusOut: true,
		validateInput: checkBaseUrl,
	});
	return text === undefined ? undefined : normalizeBaseUrl(text);
}

export function askName(title: string, value: string, taken: readonly string[]): Promise<string | undefined> {
	return askText(title, vscode.l10n.t('Name of the connection'), value, text => {
		if (text === '') {
			return vscode.l10n.t('A connection needs a name.');
		}
		return taken.includes(text) ? vscode.l10n.t('There is a connection of this name.') : undefined;
	});
}

/** An empty answer stands for the user of this machine. */
export function askUser(title: string, value: string): Promise<string | undefined> {
	return askText(title, vscode.l10n.t('End user that runs and conversations belong to. Empty: your user name on this machine.'), value);
}

/** Agent names, separated by commas. */
export async function askAgents(title: string, { agents = [] }: Pick<ConnectionEntry, 'agents'>): Promise<string[] | undefined> {
	const text = await askText(title, vscode.l10n.t('Names of agents, separated by commas'), agents.join(', '));
	return text === undefined ? undefined : [...new Set(text.split(',').map(name => name.trim()))].filter(name => name !== '');
}

async function askText(
	title: string,
	prompt: string,
	value: string,
	check?: (text: string) => string | undefined,
): Promise<string | undefined> {
	const validateInput = (text: string) => check?.(text.trim());
	return (await vscode.window.showInputBox({ title, prompt, value, ignoreFocusOut: true, validateInput }))?.trim();
}

function checkBaseUrl(text: string): vscode.InputBoxValidationMessage | string | undefined {
	const url = normalizeBaseUrl(text);
	if (!url) {
		return vscode.l10n.t('Expected an address that begins with https:// or http://, without user name or password.');
	}
	return isUnencrypted(url)
		? { severity: vscode.InputBoxValidationSeverity.Warning, message: vscode.l10n.t('Keys and prompts are sent to it without encryption.') }
		: undefined;
}
