import { createHash } from 'node:crypto';
import { Document, isCollection, isScalar, Lexer, parse, Scalar, stringify, visit } from 'yaml';
import { tryParseJson } from '#base/text/json.ts';
import { isParsableYaml } from '#base/text/yamlCost.ts';
import { isTooDeepJson } from '#contract/jsonDepth.ts';
import type { RecordedCall, RecordingPlace } from '#contract/recordings/recordings.ts';
import { formatRecordingScalar, RecordingFormatError } from '#contract/recordings/scanRecording.ts';

/** Size in characters from which a text or list is stored in a separate file, so that a diff stays readable. */
const largeSize = 16_384;
/** Levels from which a value is stored in a separate file too: each level indents all lines of the values in it. */
const mostLevels = 30;
/** Maximum characters of all files that one entry names, because it can name one file very often. A short file counts as a large value. */
const mostInFiles = 64 * 1024 * 1024;
/** Maximum number of commas and line ends of an entry: parsing a megabyte of short values would block the gateway for seconds. */
const mostValues = 100_000;
/** Looking for equal keys takes quadratic time, and bodies of requests can have very many keys. */
const parseOptions = { schema: 'core', maxAliasCount: 0, logLevel: 'silent', uniqueKeys: false } as const;

/** A recorded call: the normalized request, and the reply or the error. */
export interface EntryContent {
	readonly request: unknown;
	readonly reply?: unknown;
	readonly error?: RecordedError;
	readonly meta?: Readonly<Record<string, unknown>>;
}

/** An error of a call, with the fields that nodes use. */
export interface RecordedError {
	readonly message: string;
	readonly name?: string;
	readonly reason?: string;
	readonly code?: string;
}

/** Where an entry belongs in its file. */
export interface EntryHead extends RecordingPlace {
	readonly key: string;
	readonly node: string;
	readonly call: number;
}

/** Reads a large value from its file. Throws if it doesn't exist. */
export type ReadPart = (name: string) => string;

/** Formats an entry as a YAML document. Large values become separate files, named by their hash. */
export function formatEntry(head: EntryHead, content: EntryContent): Pick<RecordedCall, 'text' | 'parts'> {
	const parts = new Map<string, string>();
	let body = formatBody(moveLargeValues(content, parts) as EntryContent);
	if (!isParsableEntry(body)) {
		parts.clear();
		const { meta, ...values } = content;
		const moved = Object.entries(values).map(([name, value]) => [name, addPart(JSON.stringify(value), 'json', parts)]);
		body = formatBody({ ...(Object.fromEntries(moved) as Omit<EntryContent, 'meta'>), ...(meta && { meta }) });
	}
	const fields = (['key', 'case', 'row', 'repeat', 'node', 'call'] as const).flatMap(name => {
		const value = head[name];
		return value === undefined
			? []
			: [`${name}: ${typeof value === 'number' ? value : name === 'key' ? value : formatRecordingScalar(value)}\n`];
	});
	return {
		text: fields.join('') + body,
		parts: [...parts].map(([name, part]) => ({ name, content: part })),
	};
}

/** Parses the text of an entry. @throws {RecordingFormatError} that names the line */
export function parseEntry(text: string, line: number, readPart: ReadPart): EntryContent {
	if (countValues(text) > mostValues) {
		throw new RecordingFormatError(`The entry at line ${line} has more than ${mostValues} values.`);
	}
	if (!isParsableEntry(text)) {
		throw new RecordingFormatError(`The entry at line ${line} is nested too deeply, or has too many anchors, tags or '?' keys.`);
	}
	let content: unknown;
	try {
		content = parse(text, parseOptions);
	} catch (cause) {
		const [reason = ''] = (cause as Error).message.split('\n');
		throw new RecordingFormatError(`The entry at line ${line} isn't valid YAML: ${reason}`, { cause });
	}
	if (typeof content !== 'object' || content === null || !('reply' in content || 'error' in content)) {
		throw new RecordingFormatError(`The entry at line ${line} has no 'reply'. The file may be truncated.`);
	}
	let left = mostInFiles;
	return fillLargeValues(content, line, name => {
		const part = readPart(name);
		left -= Math.max(part.length, largeSize);
		if (left < 0) {
			throw new RecordingFormatError(`The files that the entry at line ${line} names are longer than ${mostInFiles} characters in total.`);
		}
		return part;
	}) as EntryContent;
}

/** False for texts that would block the gateway, such as one with a few hundred brackets. */
function isParsableEntry(text: string): boolean {
	return countValues(text) <= mostValues && isParsableYaml(new Lexer().lex(text));
}

function countValues(text: string): number {
	let count = 0;
	for (let at = 0; at < text.length; at++) {
		count += Number(text[at] === ',' || text[at] === '\n');
	}
	return count;
}

function formatBody(body: EntryContent): string {
	const document = new Document(body);
	visit(document, {
		Pair(_, { key, value }) {
			const isShort = isScalar(key) && (key.value === 'usage' || key.value === 'meta' || key.value === 'chunks');
			if (isShort && isCollection(value)) {
				value.flow = true;
			}
		},
		Scalar(_, node) {
			if (typeof node.value === 'string' && node.value.includes('\n')) {
				node.type = Scalar.BLOCK_LITERAL;
			}
		},
	});
	const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
	// texts with control characters or unusual line ends don't survive as block scalars
	return !isParsableEntry(text) || isEqualJson(tryParse(text), body)
		? text
		: stringify(body, { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}

function tryParse(text: string): unknown {
	try {
		return parse(text, parseOptions);
	} catch {
		return undefined;
	}
}

function isEqualJson(left: unknown, right: unknown): boolean {
	return JSON.stringify(left) === JSON.stringify(right);
}

function moveLargeValues(value: unknown, parts: Map<string, string>, level = 0): unknown {
	if (typeof value === 'string') {
		return value.length < largeSize ? value : addPart(value, 'txt', parts);
	}
	if (typeof value === 'object' && value !== null && level > mostLevels) {
		return addPart(JSON.stringify(value), 'json', parts);
	}
	if (Array.isArray(value)) {
		const json = value.length * 4 < largeSize ? '' : JSON.stringify(value);
		return json.length < largeSize ? value.map(item => moveLargeValues(item, parts, level + 1)) : addPart(json, 'json', parts);
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	// a reply may contain what looks like a reference to a file
	return isPartReference(value)
		? addPart(JSON.stringify(value), 'json', parts)
		: Object.fromEntries(Object.entries(value).map(([name, field]) => [name, moveLargeValues(field, parts, level + 1)]));
}

function isPartReference(value: object): value is { readonly $part: string } {
	return '$part' in value && typeof value.$part === 'string' && Object.keys(value).length === 1;
}

function addPart(content: string, type: 'txt' | 'json', parts: Map<string, string>): { readonly $part: string } {
	const name = `${hashPart(content)}.${type}`;
	parts.set(name, content);
	return { $part: name };
}

function fillLargeValues(value: unknown, line: number, readPart: ReadPart): unknown {
	if (Array.isArray(value)) {
		return value.map(item => fillLargeValues(item, line, readPart));
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	if (!isPartReference(value)) {
		return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, fillLargeValues(field, line, readPart)]));
	}
	const { $part: name } = value;
	const [, hash, type] = /^([0-9a-f]{32})\.(txt|json)$/.exec(name) ?? [];
	if (hash === undefined) {
		throw new RecordingFormatError(`The entry at line ${line} names '${name}', which isn't a valid file name.`);
	}
	let content: string;
	try {
		content = readPart(name);
	} catch (cause) {
		if (cause instanceof RecordingFormatError) {
			throw cause;
		}
		throw new RecordingFormatError(`The entry at line ${line} needs the file '${name}', which can't be read.`, { cause });
	}
	if (hashPart(content) !== hash) {
		throw new RecordingFormatError(`The file '${name}', which the entry at line ${line} needs, was changed.`);
	}
	const part = type === 'json' ? tryParseJson(content) : content;
	if (part === undefined || isTooDeepJson(content, part)) {
		throw new RecordingFormatError(`The file '${name}', which the entry at line ${line} needs, isn't valid JSON.`);
	}
	return part;
}

function hashPart(content: string): string {
	return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
