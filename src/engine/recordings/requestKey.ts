import { createHash } from 'node:crypto';
import { getField } from '#base/records/plainValues.ts';
import type { OutgoingRequest } from '#network/guardedRequest.ts';
import { tryPercentDecode } from '#network/proxies.ts';
import { isSecretName, mask } from '#network/redaction.ts';
import type { ModelContentPart, ModelRequest } from '../run/engineTypes.ts';

/** Kinds of recorded calls. */
export type CallKind = 'model' | 'text' | 'http' | 'tool' | 'knowledge' | 'code' | 'template' | 'clock';

/** Names of calls in messages. */
export const kindNames: Readonly<Record<CallKind, string>> = {
	model: 'model request',
	text: 'text generation request',
	http: 'HTTP request',
	tool: 'tool call',
	knowledge: 'knowledge search',
	code: 'Python code',
	template: 'template with random values',
	clock: 'time',
};

/** Returns the key of a normalized request. It doesn't depend on the form of a secret, because several forms of a new value can be equal. */
export function createKey(kind: CallKind, request: unknown): string {
	const json = toCanonicalJson(request).replaceAll(/⟦secret \d+ /g, '⟦secret ');
	return `${kind}:${createHash('sha256').update(json).digest('hex').slice(0, 12)}`;
}

/** Converts a value to JSON that doesn't depend on the order of fields. */
function toCanonicalJson(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map(item => toCanonicalJson(item ?? null)).join(',')}]`;
	}
	if (typeof value !== 'object' || value === null) {
		return JSON.stringify(value) ?? 'null';
	}
	const fields = Object.entries(value).filter(([, field]) => field !== undefined);
	return `{${fields
		.sort(([left], [right]) => (left < right ? -1 : 1))
		.map(([name, field]) => `${JSON.stringify(name)}:${toCanonicalJson(field)}`)
		.join(',')}}`;
}

/** Returns a model request for comparing: images by hash, numbered tool calls, and no data that only the model's service reads. */
export function normalizeModelRequest({ messages, ...rest }: ModelRequest): Record<string, unknown> {
	const calls = new Map<string, string>();
	const numberCall = (id: string) => {
		calls.set(id, calls.get(id) ?? `call ${calls.size + 1}`);
		return calls.get(id);
	};
	return {
		...rest,
		messages: messages.map(({ role, content, calls: made = [], thoughts = [], answers }) => ({
			role,
			content: typeof content === 'string' ? content : content.map(normalizePart),
			...(made.length > 0 && { calls: made.map(({ id, name, input }) => ({ id: numberCall(id), name, input })) }),
			...(thoughts.length > 0 && { thoughts: thoughts.map(({ text }) => text) }),
			...(answers && { answers: numberCall(answers.id) }),
		})),
	};
}

function normalizePart(part: ModelContentPart): unknown {
	return 'data' in part ? { type: part.type, mediaType: part.mediaType, sha256: hashBytes(Buffer.from(part.data, 'base64')) } : part;
}

/** Returns an HTTP request for comparing: method, URL with sorted parameters and masked keys, and body. Headers aren't compared. */
export function normalizeHttpRequest({ url, method, headers, body }: OutgoingRequest): Record<string, unknown> {
	const shown = new URL(url);
	shown.username = '';
	shown.password = '';
	shown.hash = '';
	// as written, because writing them again would change secrets so that they aren't found anymore
	const parameters = url.search
		.slice(1)
		.split('&')
		.filter(parameter => parameter !== '')
		.map(parameter => {
			const [name = ''] = parameter.split('=', 1);
			return { name, text: isSecretName(tryPercentDecode(name)) ? `${name}=${mask}` : parameter };
		});
	shown.search = parameters
		.sort((left, right) => (left.name < right.name ? -1 : Number(left.name > right.name)))
		.map(({ text }) => text)
		.join('&');
	const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
	return { method, url: shown.href, ...(body && body.length > 0 && { body: normalizeBody(body, type) }) };
}

function normalizeBody(body: Buffer, type: string | undefined): unknown {
	const text = toText(body);
	if (text === undefined) {
		return { sha256: hashBytes(body) };
	}
	const boundary = /boundary="?([^";]+)/i.exec(type ?? '')?.[1];
	if (boundary !== undefined) {
		return text.replaceAll(boundary, 'boundary');
	}
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** Returns bytes as text; undefined if they aren't UTF-8. */
export function toText(bytes: Buffer): string | undefined {
	const text = bytes.toString();
	return Buffer.from(text).equals(bytes) ? text : undefined;
}

function hashBytes(bytes: Uint8Array): string {
	return createHash('sha256').update(bytes).digest('hex');
}

/** Removes values at paths such as `messages[0].content` or `body.items[*].id` from a request. */
export function removePaths(request: unknown, paths: readonly (readonly string[])[]): unknown {
	return paths.reduce((value, path) => removePath(value, path), request);
}

/** Splits a path into names and indexes. */
export function splitPath(path: string): readonly string[] {
	return path
		.replace(/^\$\.?/, '')
		.split(/[.[\]]+/)
		.filter(part => part !== '');
}

function removePath(value: unknown, [name, ...rest]: readonly string[]): unknown {
	if (name === undefined || typeof value !== 'object' || value === null) {
		return value;
	}
	const isAt = (key: string) => name === '*' || name === key;
	const entries = Object.entries(value).flatMap(([key, field]) =>
		isAt(key) ? (rest.length === 0 ? [] : [[key, removePath(field, rest)] as const]) : [[key, field] as const],
	);
	return Array.isArray(value) ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}

/** The first difference between two requests: its path, and both values as short texts. */
export interface Difference {
	readonly path: string;
	readonly recorded: string;
	readonly now: string;
}

/** Finds the first difference between a recorded request and a new one, in the order of the new one's fields. */
export function findDifference(recorded: unknown, now: unknown, path = ''): Difference | undefined {
	if (
		typeof recorded === 'object' &&
		typeof now === 'object' &&
		recorded !== null &&
		now !== null &&
		Array.isArray(recorded) === Array.isArray(now)
	) {
		for (const name of new Set([...Object.keys(now), ...Object.keys(recorded)])) {
			const at = Array.isArray(now) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
			const found = findDifference(getMember(recorded, name), getMember(now, name), at);
			if (found) {
				return found;
			}
		}
		return undefined;
	}
	return Object.is(recorded, now) ? undefined : { path, ...showBoth(recorded, now) };
}

function getMember(value: object, name: string): unknown {
	return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Shows both values from shortly before their first different character. */
function showBoth(recorded: unknown, now: unknown): Pick<Difference, 'recorded' | 'now'> {
	const [left, right] = [recorded, now].map(value => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))) as [
		string,
		string,
	];
	let at = 0;
	while (at < left.length && left[at] === right[at]) {
		at++;
	}
	const from = Math.max(0, at - 20);
	const cut = (text: string) => {
		const shown = text
			.slice(from, from + 80)
			.toWellFormed()
			.replaceAll(/\s+/g, ' ');
		return `${from > 0 ? '…' : ''}${shown}${text.length > from + 80 ? '…' : ''}`;
	};
	return { recorded: cut(left), now: cut(right) };
}

/** True if a call only asks for something, so that it can be made again. Tools and other HTTP requests may change something. */
export function isReading(key: string, request: unknown): boolean {
	const kind = key.slice(0, key.indexOf(':'));
	return kind === 'model' || kind === 'knowledge' || (kind === 'http' && /^(?:get|head)$/i.test(String(getField(request, 'method'))));
}
