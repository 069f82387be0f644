import { isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import { type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { getUrlOrigin, normalizeBaseUrl } from './baseUrl.ts';

const serviceKindNames = Object.keys(serviceKinds) as ServiceKind[];

/** An entry of the setting `agentWorkbench.connections`. */
export interface ConnectionEntry {
	/** Identifies the connection in stored state and SecretStorage. Stays the same when the connection is renamed. */
	readonly id: string;
	readonly name: string;
	readonly kind: ServiceKind;
	readonly baseUrl: string;
	/** Value of the contract's field `user`. Defaults to the user name on this machine. */
	readonly user?: string;
	/** Names of agents, for a service that can't list its agents. */
	readonly agents?: readonly string[];
	/** For Dify: origin of the console where the apps are managed. By default, it's derived from the base URL. */
	readonly consoleUrl?: string;
	/** For Dify: ID of the connection that manages this connection's app. */
	readonly deployment?: string;
	/** For Dify: ID of the app. */
	readonly app?: string;
}

/** An invalid entry in the setting. */
export interface FaultyEntry {
	/** Index in the setting, from 0. */
	readonly index: number;
	/** Name of the entry, if it has one. */
	readonly name: string | undefined;
	/** A sentence that describes the problem. */
	readonly fault: string;
}

/** Valid and invalid entries of the setting. */
export interface ConnectionEntries {
	readonly entries: readonly ConnectionEntry[];
	readonly faulty: readonly FaultyEntry[];
}

/** Reads the setting's value. */
export function readEntries(value: unknown, t: Translate): ConnectionEntries {
	const entries: ConnectionEntry[] = [];
	const faulty: FaultyEntry[] = [];
	for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
		const entry = parseEntry(item, t);
		const fault =
			typeof entry === 'string'
				? entry
				: entries.some(other => other.id === entry.id)
					? t("Another connection already has the ID '{0}'.", entry.id)
					: undefined;
		if (typeof entry === 'string' || fault !== undefined) {
			faulty.push({ index, name: readEntryName(item), fault: fault ?? '' });
		} else {
			entries.push(entry);
		}
	}
	return { entries, faulty };
}

/** Returns the setting's value with an entry added, or replaced if its ID exists. Keeps invalid entries and unknown fields. */
export function upsertEntry(value: unknown, entry: ConnectionEntry, t: Translate): unknown[] {
	const items = Array.isArray(value) ? value : [];
	const at = findEntryIndex(items, entry.id, t);
	if (at < 0) {
		return [...items, entry];
	}
	const { user: _user, agents: _agents, consoleUrl: _console, ...rest } = items[at] as Record<string, unknown>;
	return items.with(at, { ...rest, ...entry });
}

/** Returns the setting's value without the entries with these IDs. Keeps invalid entries. */
export function removeEntries(value: unknown, ids: readonly string[], t: Translate): unknown[] {
	const items = Array.isArray(value) ? value : [];
	const places = ids.map(id => findEntryIndex(items, id, t));
	return items.filter((_item, index) => !places.includes(index));
}

/** Returns the entry with its agents replaced, or without the field `agents` if the new list is empty. */
export function replaceAgents(entry: ConnectionEntry, agents: readonly string[]): ConnectionEntry {
	const { agents: _before, ...rest } = entry;
	return { ...rest, ...(agents.length > 0 && { agents }) };
}

/** Creates an ID for a new connection from the letters and digits of its name, with a number if that ID is taken. */
export function createConnectionId(name: string, taken: readonly string[]): string {
	const plain =
		name
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-+|(?<!-)-+$/g, '') || 'connection';
	let id = plain;
	for (let n = 2; taken.includes(id); n++) {
		id = `${plain}-${n}`;
	}
	return id;
}

/** Finds the first entry with an ID, because later ones with the same ID are invalid. */
function findEntryIndex(items: readonly unknown[], id: string, t: Translate): number {
	return items.findIndex(item => {
		const entry = parseEntry(item, t);
		return typeof entry !== 'string' && entry.id === id;
	});
}

/** Returns the entry, or a message that says why it isn't valid. */
function parseEntry(item: unknown, t: Translate): ConnectionEntry | string {
	if (!isRecord(item)) {
		return t('Expected an object.');
	}
	const { id, name, kind, baseUrl, user, agents, consoleUrl, deployment, app } = item as Record<string, unknown>;
	if (typeof name !== 'string' || name.trim() === '') {
		return t("'name' is missing. Expected a non-empty string.");
	}
	const known = serviceKindNames.find(each => each === kind);
	if (!known) {
		return t("'kind' isn't valid. Expected one of {0}.", serviceKindNames.join(', '));
	}
	const url = typeof baseUrl === 'string' ? normalizeBaseUrl(baseUrl) : undefined;
	if (!url) {
		return t("'{0}' isn't valid. Expected an https:// or http:// address without a user name or password.", 'baseUrl');
	}
	const console = typeof consoleUrl === 'string' ? normalizeBaseUrl(consoleUrl) : undefined;
	if (consoleUrl !== undefined && !console) {
		return t("'{0}' isn't valid. Expected an https:// or http:// address without a user name or password.", 'consoleUrl');
	}
	const names = Array.isArray(agents) ? agents.filter(agent => typeof agent === 'string' && agent !== '') : [];
	return {
		id: typeof id === 'string' && id !== '' && id !== 'built-in' ? id : createConnectionId(name, ['built-in']),
		name: name.trim(),
		kind: known,
		baseUrl: url,
		...(typeof user === 'string' && user.trim() !== '' && { user: user.trim() }),
		...(names.length > 0 && { agents: names }),
		...(known === 'dify' && console && { consoleUrl: getUrlOrigin(console) }),
		...(known === 'dify' && isNonEmptyString(deployment) && isNonEmptyString(app) && { deployment, app }),
	};
}

function isNonEmptyString(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function readEntryName(item: unknown): string | undefined {
	const name = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)['name'] : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
