import { anyOf, secretForms } from '#base/text/secretForms.ts';
import type { WorkflowRunRequest } from '#contract/workflows.ts';

/** Answers that are never kept, each to the placeholder that it was given for: `${input:NAME:password}`. */
export type Secrets = ReadonlyMap<string, string>;

/** A request as it is sent, and what of it is never kept. */
export interface FilledRequest {
	readonly request: WorkflowRunRequest;
	readonly secrets: Secrets;
}

/** A secret shorter than this, in UTF-16 units, is found only where it is the whole text: it stands in too many others by chance. */
const shortest = 4;

const secretPlaceholder = /\$\{input:([^{}]+):password\}/g;

/**
 * The value with the placeholders in the place of the secrets in all its texts, and in the names of its fields. A secret is found as it is, and escaped or
 * encoded as JSON, addresses and base64 have it.
 */
export function masked<T>(value: T, secrets: Secrets): T {
	if (secrets.size === 0) {
		return value;
	}
	const places = new Map<string, string>();
	for (const [secret, place] of secrets) {
		for (const form of secret.length >= shortest ? secretForms(secret) : []) {
			places.set(form, places.get(form) ?? place);
		}
	}
	const pattern = anyOf(places.keys());
	const maskText = (text: string) => secrets.get(text) ?? (pattern ? text.replace(pattern, form => places.get(form) ?? form) : text);
	return mapTexts(value, maskText) as T;
}

/** A kept request with its secrets asked for anew; rejects with what `ask` rejects with. `ask` gets the name, once for each. */
export async function refilled(kept: WorkflowRunRequest, ask: (name: string) => Promise<string>): Promise<FilledRequest> {
	const places = new Map<string, string>();
	mapTexts(kept, text => {
		for (const [place, name = ''] of text.matchAll(secretPlaceholder)) {
			places.set(place, name);
		}
		return text;
	});
	const answers = new Map<string, string>();
	for (const [place, name] of places) {
		answers.set(place, await ask(name));
	}
	const request = mapTexts(kept, text => text.replace(secretPlaceholder, place => answers.get(place) ?? place)) as WorkflowRunRequest;
	return { request, secrets: new Map([...answers].map(([place, answer]) => [answer, place])) };
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') {
		return change(value);
	}
	if (Array.isArray(value)) {
		return value.map(item => mapTexts(item, change));
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([name, part]) => [change(name), mapTexts(part, change)]));
	}
	return value;
}
