import * as vscode from 'vscode';
import { type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { reached } from '../../platform/milestones.ts';
import { newId } from '../connectionEntries.ts';
import { builtInId } from '../connectionTypes.ts';
import { kindFacts } from '../kindFacts.ts';
import type { ActionContext } from './connectionActions.ts';
import { askBaseUrl, askKind, askName } from './connectionFields.ts';
import { testConnection } from './testConnection.ts';

/** Adds a connection in four steps: kind, base URL, name, key (of Dify, or a sign-in). Resolves to its ID, or `undefined` when the user backs out. */
export async function addConnection(parts: ActionContext): Promise<string | undefined> {
	const title = vscode.l10n.t('Add connection');
	const kind = await askKind(`${title} (1/4)`);
	const baseUrl = kind && (await askBaseUrl(`${title} (2/4)`, kind));
	if (!baseUrl) {
		return undefined;
	}
	const entries = parts.settings.list();
	const names = entries.map(entry => entry.name);
	const name = await askName(`${title} (3/4)`, suggestName(kind, baseUrl, names), names);
	if (!name) {
		return undefined;
	}
	const entry = { id: newId(name, [builtInId, ...entries.map(each => each.id)]), name, kind, baseUrl };
	await parts.settings.save(entry);
	reached('hasConnection');
	if (kind === 'dify' && (await askWhatFor(`${title} (4/4)`)) === 'workspace') {
		await vscode.commands.executeCommand('agentWorkbench.dify.signIn', entry.id);
		return entry.id;
	}
	// who backs out of the key keeps the connection: its node says that the key is missing
	if (serviceKinds[kind].keyOptional || (await parts.prompt.ask(entry))?.isOfOtherKind === false) {
		await testConnection(parts, entry);
	}
	return entry.id;
}

/** A key of Dify is one app's; a sign-in is for all apps of a workspace. Who backs out goes on as with a key. */
async function askWhatFor(title: string): Promise<'app' | 'workspace' | undefined> {
	const items = [
		{
			label: vscode.l10n.t('One app'),
			detail: vscode.l10n.t('By its key: runs, logs and conversations of that app.'),
			value: 'app' as const,
		},
		{
			label: vscode.l10n.t('A whole workspace'),
			detail: vscode.l10n.t('By signing in: its apps are pulled, pushed and published here, and get keys for their runs.'),
			value: 'workspace' as const,
		},
	];
	return (
		await vscode.window.showQuickPick(items, { title, placeHolder: vscode.l10n.t('What the connection is for'), ignoreFocusOut: true })
	)?.value;
}

function suggestName(kind: ServiceKind, baseUrl: string, taken: readonly string[]): string {
	const { baseUrls } = kindFacts()[kind];
	const name = baseUrls.find(known => known.url === baseUrl)?.label ?? new URL(baseUrl).host;
	let free = name;
	for (let n = 2; taken.includes(free); n++) {
		free = `${name} ${n}`;
	}
	return free;
}
