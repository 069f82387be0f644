import type * as z from 'zod';
import type {
	OpenRecordingMode,
	OpenRecordingRequest,
	RecordedCall,
	RecordingDrift,
	RecordingMiss,
	RecordingPlace,
	TakenCalls,
} from '#contract/recordings/recordings.ts';
import { getPlaceKey, type RecordingDocument, RecordingFormatError, scanRecording } from '#contract/recordings/scanRecording.ts';
import { type EntryContent, type EntryHead, formatEntry, parseEntry, type ReadPart } from './entryText.ts';
import { findNearestEntry } from './nearestEntry.ts';
import { markValue } from './recordingMarks.ts';
import { RecordingMissing, recordAdvice } from './recordingMissing.ts';
import { compareReplies } from './replyDrift.ts';
import { checkReply } from './replyShapes.ts';
import { type CallKind, createKey, isReading, kindNames, removePaths, splitPath } from './requestKey.ts';
import { readWrittenReply } from './writtenReply.ts';

/** Size in characters of the calls that are taken at once. */
const takenSize = 4_000_000;
/** Maximum characters of calls that wait to be taken. */
const mostWaiting = 256 * 1024 * 1024;

/** An entry of the file, and its content once it was needed. */
interface Entry extends RecordingDocument {
	/** Position in the file. */
	readonly at: number;
	content?: EntryContent;
	/** Its reply or error, if it could be read without the rest. */
	reply?: Pick<EntryContent, 'reply' | 'error'> | undefined;
	/** Schema that the content matches. */
	shape?: z.ZodType;
	/** True if the content has placeholders to fill in. */
	isMarked?: boolean;
}

interface SessionParts {
	/** Reads a large value of the file. */
	readonly readPart: ReadPart;
	/** Masks the gateway's keys. */
	readonly redactText: (text: string) => string;
	/** False if no client takes the recorded calls, so that they aren't collected. Default: true. */
	readonly isTaken?: boolean;
}

/** An open recording: the entries of its file, and what the runs that use it have replayed, recorded and missed. */
export class RecordingSession {
	readonly mode: OpenRecordingMode;
	readonly timing: 'none' | 'recorded' | number;
	readonly size: number;
	readonly #parts: SessionParts;
	readonly #ignored: readonly (readonly string[])[];
	/** By each of their {@link listLookups}. */
	readonly #found = new Map<string, Entry[]>();
	readonly #byKind = new Map<string, Entry[]>();
	/** Values by name, by case. */
	readonly #agentSecrets = new Map<string, Readonly<Record<string, string>>>();
	#used = new Set<number>();
	/** Texts of files that entries name, by file name. */
	readonly #texts = new Map<string, string>();
	#calls: RecordedCall[] = [];
	/** Number of characters of the file's text, and of what was read from it and its other files. */
	#readSize: number;
	/** Number of characters of calls that wait to be taken. */
	#waitingSize = 0;
	#misses: RecordingMiss[] = [];
	#drift: RecordingDrift[] = [];
	/** Positions of entries that were or are compared with live replies. */
	readonly #compared = new Set<number>();
	readonly #mostCompared: number;

	/** @throws {RecordingFormatError} if the text isn't a recording that this version reads */
	constructor({ mode, text = '', ignore = [], timing = 'none', drift = Infinity }: OpenRecordingRequest, parts: SessionParts) {
		this.mode = mode;
		this.timing = timing;
		this.#parts = parts;
		this.#mostCompared = drift;
		this.#ignored = ignore.map(splitPath);
		const documents = scanRecording(text);
		this.size = documents.length;
		this.#readSize = text.length;
		for (const [at, document] of documents.entries()) {
			const entry = { ...document, at };
			for (const name of listLookups(document.key, document, document.node)) {
				addTo(this.#found, name, entry);
			}
			addTo(this.#byKind, document.key.slice(0, document.key.indexOf(':')), entry);
		}
	}

	/** Notes secrets of an agent that runs in a case, because its outputs may contain them, which judges get. */
	addAgentSecrets(place: RecordingPlace, secrets: Iterable<readonly [string, string]>): void {
		const known = this.getAgentSecrets(place);
		for (const [name, value] of secrets) {
			let unique = name;
			for (let count = 2; known[unique] !== undefined && known[unique] !== value; count++) {
				unique = `${name} ${count}`;
			}
			known[unique] = value;
		}
		this.#agentSecrets.set(getCaseKey(place), known);
	}

	/** Returns the secrets of the agents that ran in a case, by name. */
	getAgentSecrets(place: RecordingPlace): Record<string, string> {
		return { ...this.#agentSecrets.get(getCaseKey(place)) };
	}

	/** Approximate number of characters that the session keeps in memory. */
	get weight(): number {
		return this.#readSize + this.#waitingSize;
	}

	/** Returns a request without what isn't compared and without keys, and the key that finds its replies. */
	normalizeRequest(
		kind: CallKind,
		request: unknown,
		markText: (text: string) => string,
	): { readonly key: string; readonly request: unknown } {
		const marked = markValue(removePaths(request, this.#ignored), text => this.#parts.redactText(markText(text)));
		return { key: createKey(kind, marked), request: marked };
	}

	/**
	 * Finds the entries with a key: those of the node in the place if there are any, else those of the place, else those of the case, else
	 * all.
	 */
	findEntries(key: string, place: RecordingPlace, node: string): readonly Entry[] {
		for (const name of listLookups(key, place, node)) {
			const found = this.#found.get(name);
			if (found) {
				return found;
			}
		}
		return [];
	}

	/** Returns the entries of a node for one kind of call, whatever it asked for. */
	findCallsOfNode(kind: CallKind, node: string): readonly Entry[] {
		return (this.#byKind.get(kind) ?? []).filter(entry => entry.node === node);
	}

	/** Returns the reply or error of an entry, with the values of the run. @throws {RecordingFormatError} if it doesn't match the schema */
	useEntry(entry: Entry, shape: z.ZodType, fillValue: (value: EntryContent) => EntryContent): EntryContent {
		this.#used.add(entry.at);
		entry.reply ??= entry.content ?? readWrittenReply(entry.text) ?? this.#readEntry(entry);
		const { reply, error } = entry.reply;
		const content = { request: undefined, ...(reply !== undefined && { reply }), ...(error && { error }) };
		if (entry.shape !== shape) {
			checkReply(content, entry.line, shape);
			entry.shape = shape;
		}
		entry.isMarked ??= JSON.stringify(content).includes('⟦');
		return entry.isMarked ? fillValue(content) : content;
	}

	/**
	 * Adds a call with its normalized request for the file. Keys and the texts that `markText` replaces don't appear in it.
	 * @throws {RecordingFormatError} if the calls that wait to be taken are too long
	 */
	addCall(head: EntryHead, content: EntryContent, markText: (text: string) => string): RecordedCall {
		const { request, ...live } = content;
		const masked = { request, ...markValue(live, text => this.#parts.redactText(markText(text))) };
		const same = this.#findSameEntry(head, masked);
		const { key: _, ...place } = head;
		const call = { ...place, ...formatEntry(head, masked), ...(same && { same: same.at }) };
		if (this.#parts.isTaken === false) {
			return call;
		}
		const size = measureCall(call);
		if (this.#waitingSize + size > mostWaiting) {
			throw new RecordingFormatError(`The recorded replies are longer than ${mostWaiting} characters. Record fewer cases at once.`);
		}
		this.#waitingSize += size;
		this.#calls.push(call);
		return call;
	}

	/** Returns the text of an entry and its large values. @throws {RecordingFormatError} */
	copyEntry({ text }: Entry): KeptCall {
		const names = new Set(Array.from(text.matchAll(/\$part: ([0-9a-f]{32}\.(?:txt|json))\b/g), ([, name = '']) => name));
		return { text, parts: [...names].map(name => ({ name, content: this.#readPart(name) })) };
	}

	/**
	 * Returns a function that compares an entry with a live reply; `undefined` if it isn't to be compared. Only calls that change nothing are
	 * made again.
	 */
	takeComparison(entry: Entry, request: unknown, markText: (text: string) => string): ((live: LiveContent) => void) | undefined {
		const { at, key, line, node, case: name, row, repeat } = entry;
		if (this.mode !== 'drift' || this.#compared.has(at) || this.#compared.size >= this.#mostCompared || !isReading(key, request)) {
			return undefined;
		}
		this.#compared.add(at);
		const place = { ...(name !== undefined && { case: name }), ...(row !== undefined && { row }), ...(repeat !== undefined && { repeat }) };
		return live => {
			const masked = { request, ...markValue(live, text => this.#parts.redactText(markText(text))) };
			this.#drift.push({ ...place, node, line, ...compareReplies(this.#readEntry(entry), masked) });
		};
	}

	/** Reports a request without an entry, and returns the error for its node. */
	addMiss(kind: CallKind, request: unknown, place: RecordingPlace, node: string, advice = recordAdvice): RecordingMissing {
		const nearest = findNearestEntry(this.#byKind.get(kind) ?? [], { request, place, node }, entry => this.#readEntry(entry).request);
		const described = nearest
			? `The nearest entry is at line ${nearest.entry.line} (node '${nearest.entry.node}'). First difference, at '${nearest.path}': recorded '${nearest.recorded}', now '${nearest.now}'.`
			: `The recording has no ${kindNames[kind]} to compare with.`;
		const message = `No recorded reply for this ${kindNames[kind]}. ${described} ${advice}`;
		this.#misses.push({ ...place, node, message });
		return new RecordingMissing(message);
	}

	/** Returns what happened since the last call of this method, up to about 4 MB of calls. */
	takeCalls(): TakenCalls {
		let [count, size] = [0, 0];
		while (count < this.#calls.length && size < takenSize) {
			size += measureCall(this.#calls[count++]!);
		}
		this.#waitingSize -= size;
		const taken = { calls: this.#calls.splice(0, count), used: [...this.#used], misses: this.#misses, drift: this.#drift };
		this.#used = new Set();
		this.#misses = [];
		this.#drift = [];
		return { ...taken, more: this.#calls.length > 0 };
	}

	#readEntry(entry: Entry): EntryContent {
		if (!entry.content) {
			entry.content = parseEntry(entry.text, entry.line, name => this.#readPart(name));
			this.#readSize += entry.text.length;
		}
		return entry.content;
	}

	/** Reads each file once, because all entries can name the same one. */
	#readPart(name: string): string {
		const known = this.#texts.get(name);
		if (known !== undefined) {
			return known;
		}
		const text = this.#parts.readPart(name);
		this.#texts.set(name, text);
		this.#readSize += text.length;
		return text;
	}

	/** Finds the entry of the same call with the same reply, regardless of when its chunks arrived. */
	#findSameEntry(head: EntryHead, content: EntryContent): Entry | undefined {
		const [exact = ''] = listLookups(head.key, head, head.node);
		const entry = this.#found.get(exact)?.find(({ call }) => call === head.call);
		try {
			return entry && isSameReply(this.#readEntry(entry), content) ? entry : undefined;
		} catch {
			// a damaged entry is replaced
			return undefined;
		}
	}
}

/** A recorded call as a document of a recording, and its large values. */
export type KeptCall = Pick<RecordedCall, 'text' | 'parts'>;

/** What a live call returned. */
export type LiveContent = Pick<EntryContent, 'reply' | 'error' | 'meta'>;

/** Returns the names under which entries are found, with the most specific first. */
function listLookups(key: string, place: RecordingPlace, node: string): readonly string[] {
	const levels = [getPlaceKey(place), getCaseKey(place), ''];
	return levels.flatMap(level => [`${key}\n${level}\n${node}`, `${key}\n${level}`]);
}

/** Returns a text that is equal for all repetitions of a case. */
function getCaseKey({ case: name, row }: RecordingPlace): string {
	return JSON.stringify([name, row]);
}

function addTo(map: Map<string, Entry[]>, name: string, entry: Entry): void {
	const list = map.get(name);
	if (list) {
		list.push(entry);
	} else {
		map.set(name, [entry]);
	}
}

/** Returns the number of characters of a call for the file. */
function measureCall({ text, parts }: Pick<RecordedCall, 'text' | 'parts'>): number {
	return parts.reduce((sum, { content }) => sum + content.length, text.length);
}

function isSameReply(left: EntryContent, right: EntryContent): boolean {
	const toComparable = ({ reply, error }: EntryContent) =>
		JSON.stringify([typeof reply === 'object' && reply !== null ? { ...reply, chunks: undefined } : reply, error]);
	return toComparable(left) === toComparable(right);
}
