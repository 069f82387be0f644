import { isRecord } from '#base/records/plainValues.ts';
import type { Translate } from '#base/text/localization.ts';
import { type ServiceKind, serviceKinds } from '#contract/serviceKinds.ts';
import { normalizeBaseUrl, originOf } from './baseUrl.ts';

const serviceKindNames = Object.keys(serviceKinds) as ServiceKind[];

/** A connection as the setting `agentWorkbench.connections` holds it. */
export interface ConnectionEntry {
	/** Names the connection in state and SecretStorage; made when it is added, kept when it is renamed. */
	readonly id: string;
	readonly name: string;
	readonly kind: ServiceKind;
	readonly baseUrl: string;
	/** The contract's `user`; absent: the one of this machine. */
	readonly user?: string;
	/** Agents of a service that cannot list its own. */
	readonly agents?: readonly string[];
	/** Dify: origin of the console where the apps are managed; absent: the one that follows from the base URL. */
	readonly consoleUrl?: string;
	/** Dify: ID of the connection whose deployment has the app that this one is of. */
	readonly deployment?: string;
	/** Dify: ID of that app in its deployment. */
	readonly app?: string;
}

/** An entry of the setting that is no connection, and why. */
export interface FaultyEntry {
	/** Its place in the setting, from 0. */
	readonly index: number;
	/** What it calls itself, where it does. */
	readonly name: string | undefined;
	/** A sentence without its full stop. */
	readonly fault: string;
}

/** What the setting holds. */
export interface ConnectionEntries {
	readonly entries: readonly ConnectionEntry[];
	readonly faulty: readonly FaultyEntry[];
}

/** Reads the setting's value. */
export function readEntries(value: unknown, t: Translate): ConnectionEntries {
	const entries: ConnectionEntry[] = [];
	const faulty: FaultyEntry[] = [];
	for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
		const entry = readEntry(item, t);
		const fault =
			typeof entry === 'string'
				? entry
				: entries.some(other => other.id === entry.id)
					? t('the ID “{0}” is taken by another connection', entry.id)
					: undefined;
		if (typeof entry === 'string' || fault !== undefined) {
			faulty.push({ index, name: nameOf(item), fault: fault ?? '' });
		} else {
			entries.push(entry);
		}
	}
	return { entries, faulty };
}

/** The setting's value with an entry added, or put in the place of the one with its ID; all else, faulty or not known here, stays as it is. */
export function withEntry(value: unknown, entry: ConnectionEntry, t: Translate): unknown[] {
	const items = Array.isArray(value) ? value : [];
	const at = placeOf(items, entry.id, t);
	if (at < 0) {
		return [...items, entry];
	}
	const { user: _user, agents: _agents, consoleUrl: _console, ...rest } = items[at] as Record<string, unknown>;
	return items.with(at, { ...rest, ...entry });
}

/** The setting's value without the entries of these IDs; all else stays as it is. */
export function withoutEntries(value: unknown, ids: readonly string[], t: Translate): unknown[] {
	const items = Array.isArray(value) ? value : [];
	const places = ids.map(id => placeOf(items, id, t));
	return items.filter((_item, index) => !places.includes(index));
}

/** The entry with other agents; none leaves the field out. */
export function withAgents(entry: ConnectionEntry, agents: readonly string[]): ConnectionEntry {
	const { agents: _before, ...rest } = entry;
	return { ...rest, ...(agents.length > 0 && { agents }) };
}

/** An ID for a new connection: its name in plain letters, with a number where that is taken. */
export function newId(name: string, taken: readonly string[]): string {
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

/** The first one of an ID is the connection; others are faulty. */
function placeOf(items: readonly unknown[], id: string, t: Translate): number {
	return items.findIndex(item => {
		const entry = readEntry(item, t);
		return typeof entry !== 'string' && entry.id === id;
	});
}

/** An entry, or what is wrong with it. */
function readEntry(item: unknown, t: Translate): ConnectionEntry | string {
	if (!isRecord(item)) {
		return t('expected an object');
	}
	const { id, name, kind, baseUrl, user, agents, consoleUrl, deployment, app } = item as Record<string, unknown>;
	if (typeof name !== 'string' || name.trim() === '') {
		return t('“name” is missing: expected a text that is not empty');
	}
	const known = serviceKindNames.find(each => each === kind);
	if (!known) {
		return t('“kind” is none that is known: expected one of {0}', serviceKindNames.join(', '));
	}
	const url = typeof baseUrl === 'string' ? normalizeBaseUrl(baseUrl) : undefined;
	if (!url) {
		return t('“baseUrl” is no address: expected one that begins with https:// or http://, without user name or password');
	}
	const console = typeof consoleUrl === 'string' ? normalizeBaseUrl(consoleUrl) : undefined;
	if (consoleUrl !== undefined && !console) {
		return t('“consoleUrl” is no address: expected one that begins with https:// or http://, without user name or password');
	}
	const names = Array.isArray(agents) ? agents.filter(agent => typeof agent === 'string' && agent !== '') : [];
	return {
		id: typeof id === 'string' && id !== '' && id !== 'built-in' ? id : newId(name, ['built-in']),
		name: name.trim(),
		kind: known,
		baseUrl: url,
		...(typeof user === 'string' && user.trim() !== '' && { user: user.trim() }),
		...(names.length > 0 && { agents: names }),
		...(known === 'dify' && console && { consoleUrl: originOf(console) }),
		...(known === 'dify' && isText(deployment) && isText(app) && { deployment, app }),
	};
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function nameOf(item: unknown): string | undefined {
	const name = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)['name'] : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
