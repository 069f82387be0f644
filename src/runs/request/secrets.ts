import { listSecretForms } from '#base/text/secretForms.ts';
import { createReplacer } from '#base/text/textFinder.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** Values that are never saved, each with its placeholder: `${input:NAME:password}` or `${env:NAME}`. */
export type Secrets = ReadonlyMap<string, string>;

/** A request as sent, with its secrets. */
export interface FilledRequest {
	readonly request: WorkflowRunRequest;
	readonly secrets: Secrets;
}

/**
 * Minimum length, in UTF-16 units, of secrets to mask inside texts. Shorter ones occur by chance, so they are masked only as a whole text.
 */
const shortest = 4;

const secretPlaceholder = /\$\{(?:input:([^{}]+):password|env:([^{}]+))\}/g;

/** True if a stored value has placeholders for secrets, or text that looks like them. */
export function hasSecretPlaceholders(value: unknown): boolean {
	return (JSON.stringify(value) ?? '').search(secretPlaceholder) >= 0;
}

/** Fields whose strings belong to the protocol, not to the agent or user. */
const protocolFields: ReadonlySet<string> = new Set(['event', 'status', 'node_type', 'response_mode']);

/**
 * Replaces the secrets with their placeholders in all texts and field names of a value, in plain form and as escaped or encoded in JSON,
 * URLs and base64.
 */
export function maskRunSecrets<T>(value: T, secrets: Secrets): T {
	return secrets.size === 0 ? value : (mapTexts(value, createTextMasker(secrets)) as T);
}

/**
 * Masks the secrets in a request, a journal entry or part of a record like {@link maskRunSecrets}, except in field names and values that
 * belong to the protocol: a secret `data` must not rename the field `data`.
 */
export function maskEntry<T extends object>(entry: T, secrets: Secrets): T {
	return secrets.size === 0 ? entry : maskEntryTexts(entry, createTextMasker(secrets));
}

/** Masks the secrets like {@link maskEntry}. `maskText` is from {@link createTextMasker}, which takes time if secrets are long. */
export function maskEntryTexts<T extends object>(entry: T, maskText: (text: string) => string): T {
	return mapTexts(entry, maskText, countProtocolLevels(entry)) as T;
}

/**
 * Fills in the secrets of a saved request again. Rejects if `ask` or `readVariable` reject. Both are called with the name, once per name;
 * `readVariable` returns `undefined` if the text isn't a placeholder for a secret, so that the text stays.
 */
export async function refillSecrets(
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

/** Returns the forms in which secrets occur in texts, each with its placeholder. Omits secrets that are masked only as a whole text. */
export function getSecretForms(secrets: Secrets): ReadonlyMap<string, string> {
	const places = new Map<string, string>();
	for (const [secret, place] of secrets) {
		for (const form of secret.length >= shortest ? listSecretForms(secret) : []) {
			places.set(form, places.get(form) ?? place);
		}
	}
	return places;
}

/** Returns a function that replaces the secrets in a text with their placeholders. */
export function createTextMasker(secrets: Secrets): (text: string) => string {
	const replace = createReplacer(getSecretForms(secrets));
	return text => secrets.get(text) ?? replace?.(text) ?? text;
}

/** Returns the number of levels of an entry whose field names belong to the protocol. Deeper names belong to the agent or user. */
function countProtocolLevels(entry: object): number {
	const detail = 'detail' in entry && typeof entry.detail === 'object' && entry.detail !== null ? entry.detail : undefined;
	return 'event' in entry || (detail && 'data' in detail) ? 3 : detail ? 2 : 1;
}

/** @param protocol number of levels of the value whose field names belong to the protocol */
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
