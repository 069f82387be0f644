import { secretForms } from '#base/text/secretForms.ts';
import { replacerOf } from '#base/text/textFinder.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** Values that are never saved, each with the placeholder that it stands for: `${input:NAME:password}` or `${env:NAME}`. */
export type Secrets = ReadonlyMap<string, string>;

/** A request as it is sent, and what of it is never kept. */
export interface FilledRequest {
	readonly request: WorkflowRunRequest;
	readonly secrets: Secrets;
}

/** A secret shorter than this, in UTF-16 units, is found only where it is the whole text: it stands in too many others by chance. */
const shortest = 4;

const secretPlaceholder = /\$\{(?:input:([^{}]+):password|env:([^{}]+))\}/g;

/** Fields whose strings are the protocol's own, not the agent's or the user's. */
const protocolFields: ReadonlySet<string> = new Set(['event', 'status', 'node_type', 'response_mode']);

/**
 * The value with the placeholders in the place of the secrets in all its texts, and in the names of its fields. A secret is found as it is, and escaped or
 * encoded as JSON, addresses and base64 have it.
 */
export function masked<T>(value: T, secrets: Secrets): T {
	return secrets.size === 0 ? value : (mapTexts(value, maskerOf(secrets)) as T);
}

/**
 * A request, a journal entry or part of a record with its secrets masked as {@link masked} does, except names and words of the protocol: a secret `data`
 * must not rename the field `data`.
 */
export function maskedEntry<T extends object>(entry: T, secrets: Secrets): T {
	return secrets.size === 0 ? entry : (mapTexts(entry, maskerOf(secrets), protocolLevels(entry)) as T);
}

/**
 * A saved request with its secrets filled in again; rejects with what `ask` and `readVariable` reject with. Both get the name, once for each;
 * `readVariable` returns `undefined` if the text is no placeholder of a secret, and the text stays as it is.
 */
export async function refilled(
	kept: WorkflowRunRequest,
	ask: (name: string) => Promise<string>,
	readVariable: (name: string, place: string) => Promise<string | undefined> = async () => undefined,
): Promise<FilledRequest> {
	const places = new Map<string, () => Promise<string | undefined>>();
	mapTexts(kept, text => {
		for (const [place, input, variable = ''] of text.matchAll(secretPlaceholder)) {
			places.set(place, () => (input === undefined ? readVariable(variable, place) : ask(input)));
		}
		return text;
	});
	const values = new Map<string, string>();
	for (const [place, read] of places) {
		const value = await read();
		if (value !== undefined) {
			values.set(place, value);
		}
	}
	const request = mapTexts(kept, text => text.replace(secretPlaceholder, place => values.get(place) ?? place)) as WorkflowRunRequest;
	return { request, secrets: new Map([...values].flatMap(([place, value]) => (value === '' ? [] : [[value, place]]))) };
}

/** Forms of the secrets as texts hold them, each with its placeholder; without secrets that are found only as a whole text. */
export function formsOf(secrets: Secrets): ReadonlyMap<string, string> {
	const places = new Map<string, string>();
	for (const [secret, place] of secrets) {
		for (const form of secret.length >= shortest ? secretForms(secret) : []) {
			places.set(form, places.get(form) ?? place);
		}
	}
	return places;
}

/** Returns what masks one text. */
function maskerOf(secrets: Secrets): (text: string) => string {
	const replace = replacerOf(formsOf(secrets));
	return text => secrets.get(text) ?? replace?.(text) ?? text;
}

/** How many levels of an entry have names of the protocol; names below are the agent's or the user's. */
function protocolLevels(entry: object): number {
	const detail = 'detail' in entry && typeof entry.detail === 'object' && entry.detail !== null ? entry.detail : undefined;
	return 'event' in entry || (detail && 'data' in detail) ? 3 : detail ? 2 : 1;
}

/** @param protocol how many levels of the value have names of the protocol */
function mapTexts(value: unknown, change: (text: string) => string, protocol = 0): unknown {
	if (typeof value === 'string') {
		return change(value);
	}
	if (Array.isArray(value)) {
		return value.map(item => mapTexts(item, change, protocol));
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, part]) =>
				protocol === 0
					? [change(name), mapTexts(part, change)]
					: [name, protocolFields.has(name) && typeof part === 'string' ? part : mapTexts(part, change, protocol - 1)],
			),
		);
	}
	return value;
}
