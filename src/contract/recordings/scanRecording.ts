import type { RecordingPlace } from './recordings.ts';

/** Version of the format that is written. Later versions are refused. */
export const recordingVersion = 1;

/** A document of a recording file, found without parsing it. */
export interface RecordingDocument extends RecordingPlace {
	/** Kind and hash of the request: `model:5f2c9e1a03bb`. */
	readonly key: string;
	readonly node: string;
	readonly call: number;
	/** Text of the document, without the line `---` before it. */
	readonly text: string;
	/** Line of the document in the file, from 1. */
	readonly line: number;
}

/** A recording file that can't be used. */
export class RecordingFormatError extends Error {
	override readonly name = 'RecordingFormatError';
}

/** The first fields of a document, in any order. They are scalars on one line. */
const field = /^(key|case|row|repeat|node|call): (.*)$/s;

/**
 * Finds the documents of a recording file by scanning its lines. A text without documents is an empty recording.
 * @throws {RecordingFormatError} for a later version, or a document without a key
 */
export function scanRecording(text: string): readonly RecordingDocument[] {
	const documents: RecordingDocument[] = [];
	let line = 1;
	let start = 0;
	while (start < text.length) {
		const { end, next } = findDocumentEnd(text, start);
		const document = text.slice(start, end);
		if (line === 1) {
			checkHeader(document);
		} else {
			documents.push(readDocument(document, line));
		}
		line += countLines(text, start, next);
		start = next;
	}
	return documents;
}

function findDocumentEnd(text: string, start: number): { readonly end: number; readonly next: number } {
	// not `^`, which would also match after other line separators inside a text
	const separator = /(?<![^\n])---[ \t]*\r?\n/g;
	separator.lastIndex = start;
	const match = separator.exec(text);
	return match ? { end: match.index, next: match.index + match[0].length } : { end: text.length, next: text.length };
}

function countLines(text: string, from: number, to: number): number {
	let lines = 0;
	for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
		lines++;
	}
	return lines;
}

function checkHeader(document: string): void {
	const version = Number(/^recording: (\d{1,9})\s*$/m.exec(document)?.[1]);
	if (version > recordingVersion) {
		throw new RecordingFormatError(
			`The recording has the format ${version}, which a newer version of Agent Workbench wrote. This one reads format ${recordingVersion}.`,
		);
	}
	if (document.trim() !== '' && Number.isNaN(version)) {
		throw new RecordingFormatError("Line 1 isn't the start of a recording. Expected 'recording: 1'.");
	}
}

function readDocument(text: string, line: number): RecordingDocument {
	const fields = new Map<string, string>();
	let start = 0;
	// the fields are at the start of the document, before the request
	for (let count = 0; count < 8 && start < text.length; count++) {
		const end = text.indexOf('\n', start);
		const [, name, value] = field.exec(text.slice(start, end === -1 ? text.length : end).trimEnd()) ?? [];
		if (name === undefined || value === undefined) {
			break;
		}
		fields.set(name, readScalar(value));
		start = end === -1 ? text.length : end + 1;
	}
	const key = fields.get('key') ?? '';
	if (!/^[a-z]+:[0-9a-f]{12}$/.test(key)) {
		throw new RecordingFormatError(`Line ${line}: the entry has no key, for example 'key: model:5f2c9e1a03bb'.`);
	}
	const [row, repeat] = [Number(fields.get('row')), Number(fields.get('repeat'))];
	return {
		key,
		...(fields.has('case') && { case: fields.get('case')! }),
		...(row > 0 && { row }),
		...(repeat > 0 && { repeat }),
		node: fields.get('node') ?? '',
		call: Number(fields.get('call')) || 1,
		text,
		line,
	};
}

/** Reads a scalar as {@link formatRecordingScalar} writes it, or as plain or single-quoted text. */
function readScalar(text: string): string {
	if (text.startsWith('"')) {
		try {
			return String(JSON.parse(text));
		} catch {
			return text;
		}
	}
	return /^'.*'$/s.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/** Formats a string as a scalar on one line: plain if it can't be mistaken for anything else, as JSON otherwise. */
export function formatRecordingScalar(text: string): string {
	return /^[\p{L}_][\p{L}\p{N} _./>-]*(?<! )$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
		? text
		: JSON.stringify(text);
}

/** Returns a text that is equal for the same place. */
export function getPlaceKey({ case: name = '', row = 0, repeat = 1 }: RecordingPlace): string {
	return JSON.stringify([name, row, repeat]);
}

/** Returns a value for a secret that a replay doesn't need. It's valid in headers and URLs. */
export function createMissingSecret(name: string): string {
	return `recorded-secret-${[...name].map(character => character.codePointAt(0)?.toString(16)).join('-')}`;
}

/** Returns the name of a placeholder of one of the forms of a secret. */
export function formatSecretName(form: number, name: string): string {
	return `secret ${form} ${encodeURIComponent(name.toWellFormed())}`;
}

/** Header of text generation requests with the open recording that they use: the JSON of `recording`, percent-encoded. */
export const recordingHeader = 'x-agent-workbench-recording';
