import * as vscode from 'vscode';
import { reached } from '../../common/milestones.ts';
import { newId } from '../connectionEntries.ts';
import { builtInId } from '../connectionTypes.ts';
import { kindFacts } from '../kindFacts.ts';
import { kindRules, type ServiceKind } from '../kinds.ts';
import type { ActionContext } from './connectionActions.ts';
import { askBaseUrl, askKind, askName } from './connectionFields.ts';
import { testConnection } from './testConnection.ts';

/** Adds a connection in four steps: kind, base URL, name, key. Resolves to its ID, or `undefined` when the user backs out. */
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
	// who backs out of the key keeps the connection: its node says that the key is missing
	if (kindRules[kind].keyOptional || (await parts.prompt.ask(entry))) {
		await testConnection(parts, entry);
	}
	return entry.id;
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
