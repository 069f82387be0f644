import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '#base/files/replaceFile.ts';
import { findLikelyKey } from '#base/text/likelyKeys.ts';
import type { RecordedCall, RecordingPlace } from '#contract/recordings/recordings.ts';
import {
	getPlaceKey,
	type RecordingDocument,
	RecordingFormatError,
	recordingVersion,
	scanRecording,
} from '#contract/recordings/scanRecording.ts';

/** Returns the path of the recording of a run file or suite: `NAME.run.recording.yaml` beside it. */
export function getRecordingFile(file: string): string {
	return `${file.replace(/\.json$/i, '')}.recording.yaml`;
}

/** Returns the folder with the large values of a recording. */
export function getPartsFolder(recording: string): string {
	return recording.replace(/\.ya?ml$/i, '');
}

/**
 * Reads a recording file. Returns an empty text if it doesn't exist. Throws the error of the file system for others.
 * @throws {RecordingFormatError} for other encodings than UTF-8, whose replacement characters would be replayed and written back
 */
export function readRecordingText(file: string): string {
	let bytes: Buffer;
	try {
		bytes = readFileSync(file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return '';
		}
		throw error;
	}
	if (!isUtf8(bytes)) {
		throw new RecordingFormatError("The recording isn't UTF-8 text. Save the file as UTF-8.");
	}
	return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Counts of changed entries of a recording file. */
export interface RecordingChange {
	readonly added: number;
	readonly replaced: number;
	readonly removed: number;
}

/** A document of the file, with its place in the order. */
type Document = Pick<RecordingDocument, 'case' | 'row' | 'repeat' | 'node' | 'call' | 'text'>;

/** Calls to write, and what is known about the entries of the file. */
interface RecordingUpdate {
	readonly calls: readonly RecordedCall[];
	/** Positions of the entries that were replayed. */
	readonly used: ReadonlySet<number>;
	/** Places that were recorded completely again, whose other entries are removed. */
	readonly renewed: readonly RecordingPlace[];
	/** Name and version of the program that writes the file, for its header. */
	readonly creator: string;
}

/**
 * Adds calls to the text of a recording. Entries that say the same stay as they are, so that a diff shows only what changed.
 * @throws {RecordingFormatError} if a call contains what looks like a key
 */
export function updateRecordingText(
	text: string,
	{ calls, used, renewed, creator }: RecordingUpdate,
): { readonly text: string } & RecordingChange {
	checkForKeys(calls);
	const old = scanRecording(text);
	const renewedPlaces = new Set(renewed.map(getPlaceKey));
	const slots = new Set(calls.map(getSlot));
	const same = new Set(calls.flatMap(call => call.same ?? []));
	const kept = old.filter((document, at) => {
		const isSuperseded = renewedPlaces.has(getPlaceKey(document)) || (slots.has(getSlot(document)) && !used.has(at));
		return same.has(at) || !isSuperseded;
	});
	const added = calls.filter(call => call.same === undefined);
	const documents: Document[] = [...kept, ...added];
	const oldSlots = new Set(old.map(getSlot));
	const replaced = added.filter(call => oldSlots.has(getSlot(call))).length;
	return {
		text: added.length === 0 && kept.length === old.length ? text : formatRecording(text, documents, creator),
		added: added.length - replaced,
		replaced,
		removed: Math.max(0, old.length - kept.length - replaced),
	};
}

/** Attributes of the large values, so that Git shows a message instead of their content, and leaves their line ends as they are. */
const partAttributes = { name: '.gitattributes', content: '*.txt binary\n*.json binary\n' };

/** Writes a recording and its large values, and deletes large values of its old text that it no longer needs. */
export async function writeRecordingFile(file: string, text: string, calls: readonly RecordedCall[], old: string): Promise<void> {
	const folder = getPartsFolder(file);
	const parts = calls.filter(({ same }) => same === undefined).flatMap(call => call.parts);
	await fs.mkdir(parts.length > 0 ? folder : path.dirname(file), { recursive: true });
	for (const { name, content } of parts.length > 0 ? [partAttributes, ...parts] : []) {
		await replaceFile(path.join(folder, path.basename(name)), content);
	}
	await replaceFile(file, text);
	const needed = listPartNames(text);
	for (const name of listPartNames(old)) {
		if (!needed.has(name)) {
			await fs.rm(path.join(folder, name), { force: true });
		}
	}
	if (needed.size === 0 && (await fs.readdir(folder).catch(() => [])).join('') === partAttributes.name) {
		await fs.rm(folder, { recursive: true });
	}
}

function listPartNames(text: string): ReadonlySet<string> {
	return new Set(Array.from(text.matchAll(/\b[0-9a-f]{32}\.(?:txt|json)\b/g), ([name]) => name));
}

/** Returns the dates of the entries (`meta.at`), by position; undefined for entries without one. */
export function listEntryDates(documents: readonly RecordingDocument[]): readonly (number | undefined)[] {
	return documents.map(({ text }) => {
		const [, date] = /^meta: \{ ?at: ['"]?(\d{4}-\d\d-\d\d)/m.exec(text) ?? [];
		return date === undefined ? undefined : Date.parse(date);
	});
}

/** Formats the documents of a recording as a file. */
export function formatRecording(old: string, documents: readonly Document[], creator: string): string {
	const separator = /(?<![^\n])---[ \t]*\r?\n/;
	const head = old.trim() === '' ? createHead(creator) : old.slice(0, separator.exec(old)?.index ?? old.length);
	return [head, ...documents.toSorted(compareDocuments).map(({ text }) => text)]
		.map(text => (text.endsWith('\n') ? text : `${text}\n`))
		.join('---\n');
}

function createHead(creator: string): string {
	return `# Recorded replies of models, tools and services, which runs replay instead of calling them. See docs/recordings.md.
recording: ${recordingVersion}
by: ${creator}
created: ${new Date().toISOString().slice(0, 10)}
`;
}

function compareDocuments(left: Document, right: Document): number {
	return (
		compare(left.case ?? '', right.case ?? '') ||
		(left.row ?? 0) - (right.row ?? 0) ||
		(left.repeat ?? 1) - (right.repeat ?? 1) ||
		compare(left.node, right.node) ||
		left.call - right.call
	);
}

function compare(left: string, right: string): number {
	return left < right ? -1 : left > right ? 1 : 0;
}

/** Returns a text that is equal for the same call of the same node in the same place. */
function getSlot(document: RecordingPlace & { readonly node: string; readonly call: number }): string {
	return JSON.stringify([getPlaceKey(document), document.node, document.call]);
}

function checkForKeys(calls: readonly RecordedCall[]): void {
	for (const { text, parts, case: name, node } of calls) {
		const found = [decodeBinary(text), ...parts.map(({ content }) => content)].map(findLikelyKey).find(each => each !== undefined);
		if (found !== undefined) {
			throw new RecordingFormatError(
				`Nothing was recorded: a reply to the node '${node}'${name === undefined ? '' : ` in '${name}'`} contains '${found.slice(0, 6)}…', which looks like a key. Pass keys as secrets of the agent or as password inputs, or remove them from the reply.`,
			);
		}
	}
}

/** Decodes binary bodies of an entry, which are random words in base64. */
function decodeBinary(text: string): string {
	return text.replace(/^( *base64: )(.*)$/gm, (_, name: string, base64: string) => name + Buffer.from(base64, 'base64').toString('latin1'));
}
