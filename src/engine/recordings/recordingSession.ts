import { getField } from '#base/records/plainValues.ts';
import type {
	OpenRecordingMode,
	OpenRecordingRequest,
	RecordedCall,
	RecordingDrift,
	RecordingMiss,
	RecordingPlace,
	TakenCalls,
} from '#contract/recordings/recordings.ts';
import { getPlaceKey, type RecordingDocument, scanRecording } from '#contract/recordings/scanRecording.ts';
import { mapStrings } from '#network/redaction.ts';
import { type EntryContent, type EntryHead, formatEntry, parseEntry, type ReadPart } from './entryText.ts';
import { compareReplies } from './replyDrift.ts';
import { type CallKind, createKey, findDifference, removePaths, splitPath } from './requestKey.ts';

/** Size in characters of the calls that are taken at once. */
const takenSize = 4_000_000;
/** Maximum number of entries that a request without an entry is compared with. */
const mostCompared = 50;
/** Maximum characters of these entries, which are parsed one after another. */
const mostComparedText = 100_000;

/** An entry of the file, and its content once it was needed. */
interface Entry extends RecordingDocument {
	/** Position in the file. */
	readonly at: number;
	content?: EntryContent;
	/** True if the content has placeholders to fill in. */
	isMarked?: boolean;
}

interface SessionParts {
	/** Reads a large value of the file. */
	readonly readPart: ReadPart;
	/** Masks the gateway's keys. */
	readonly redactText: (text: string) => string;
}

/** Thrown for a request that a recording has no reply to, while nothing may be called. */
class RecordingMissing extends Error {
	override readonly name = 'RecordingMissing';
	readonly reason = 'recording-missing';
}

/** True if a node failed because a recording has no reply. No error strategy applies, because the run isn't what was recorded. */
export function isRecordingMissing(error: unknown): boolean {
	return error instanceof RecordingMissing || (error instanceof Error && error.cause instanceof RecordingMissing);
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
	#used = new Set<number>();
	/** Texts of files that entries name, by file name. */
	readonly #texts = new Map<string, string>();
	#calls: RecordedCall[] = [];
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
		for (const [at, document] of documents.entries()) {
			const entry = { ...document, at };
			for (const name of listLookups(document.key, document, document.node)) {
				addTo(this.#found, name, entry);
			}
			addTo(this.#byKind, document.key.slice(0, document.key.indexOf(':')), entry);
		}
	}

	/** Returns a request without what isn't compared and without keys, and the key that finds its replies. */
	normalizeRequest(
		kind: CallKind,
		request: unknown,
		markText: (text: string) => string,
	): { readonly key: string; readonly request: unknown } {
		const marked = mapStrings(removePaths(request, this.#ignored), text => this.#parts.redactText(markText(text)));
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

	/** Returns the reply or error of an entry, with the values of the run. @throws {RecordingFormatError} */
	useEntry(entry: Entry, fillValue: (value: EntryContent) => EntryContent): EntryContent {
		this.#used.add(entry.at);
		const { reply, error } = this.#readEntry(entry);
		const content = { request: undefined, ...(reply !== undefined && { reply }), ...(error && { error }) };
		entry.isMarked ??= JSON.stringify(content).includes('⟦');
		return entry.isMarked ? fillValue(content) : content;
	}

	/** Adds a call for the file. Keys and the texts that `markText` replaces don't appear in it. */
	addCall(head: EntryHead, content: EntryContent, markText: (text: string) => string): RecordedCall {
		const masked = mapStrings(content, text => this.#parts.redactText(markText(text)));
		const same = this.#findSameEntry(head, masked);
		const { key: _, ...place } = head;
		const call = { ...place, ...formatEntry(head, masked), ...(same && { same: same.at }) };
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
			const masked = mapStrings({ request, ...live }, text => this.#parts.redactText(markText(text)));
			this.#drift.push({ ...place, node, line, ...compareReplies(this.#readEntry(entry), masked) });
		};
	}

	/** Reports a request without an entry, and returns the error for its node. */
	addMiss(kind: CallKind, request: unknown, place: RecordingPlace, node: string, advice = recordAdvice): RecordingMissing {
		const message = `No recorded reply for this ${kindNames[kind]}.${this.#describeNearest(kind, request, place, node)} ${advice}`;
		this.#misses.push({ ...place, node, message });
		return new RecordingMissing(message);
	}

	/** Returns what happened since the last call of this method, up to about 4 MB of calls. */
	takeCalls(): TakenCalls {
		let [count, size] = [0, 0];
		while (count < this.#calls.length && size < takenSize) {
			const { text, parts } = this.#calls[count++]!;
			size += text.length + parts.reduce((sum, { content }) => sum + content.length, 0);
		}
		const taken = { calls: this.#calls.splice(0, count), used: [...this.#used], misses: this.#misses, drift: this.#drift };
		this.#used = new Set();
		this.#misses = [];
		this.#drift = [];
		return { ...taken, more: this.#calls.length > 0 };
	}

	#readEntry(entry: Entry): EntryContent {
		entry.content ??= parseEntry(entry.text, entry.line, name => this.#readPart(name));
		return entry.content;
	}

	/** Reads each file once, because all entries can name the same one. */
	#readPart(name: string): string {
		const text = this.#texts.get(name) ?? this.#parts.readPart(name);
		this.#texts.set(name, text);
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

	#describeNearest(kind: CallKind, request: unknown, place: RecordingPlace, node: string): string {
		const all = this.#byKind.get(kind) ?? [];
		const inCase = all.filter(each => each.case === place.case && each.row === place.row);
		const ofNode = (inCase.length > 0 ? inCase : all).filter(each => each.node === node);
		const compared = [ofNode, inCase, all].find(({ length }) => length > 0) ?? [];
		let best: { readonly entry: Entry; readonly equal: number } | undefined;
		let left = mostComparedText;
		for (const entry of compared.slice(0, mostCompared)) {
			left -= entry.text.length;
			if (left < 0) {
				break;
			}
			const equal = this.#countEqual(entry, request);
			best = best && best.equal >= equal ? best : { entry, equal };
		}
		const difference = best && this.#findDifference(best.entry, request);
		return best && difference
			? ` The nearest entry is at line ${best.entry.line} (node '${best.entry.node}'). First difference, at '${difference.path}': recorded '${difference.recorded}', now '${difference.now}'.`
			: ` The recording has no ${kindNames[kind]} to compare with.`;
	}

	#findDifference(entry: Entry, request: unknown) {
		try {
			return findDifference(this.#readEntry(entry).request, request);
		} catch {
			return undefined;
		}
	}

	/** Counts the fields of a request that an entry has as well. */
	#countEqual(entry: Entry, request: unknown): number {
		try {
			return countEqual(this.#readEntry(entry).request, request);
		} catch {
			return -1;
		}
	}
}

/** A recorded call as a document of a recording, and its large values. */
export type KeptCall = Pick<RecordedCall, 'text' | 'parts'>;

/** What a live call returned. */
export type LiveContent = Pick<EntryContent, 'reply' | 'error' | 'meta'>;

/** True if a call only asks for something, so that it can be made again. Tools and other HTTP requests may change something. */
function isReading(key: string, request: unknown): boolean {
	const kind = key.slice(0, key.indexOf(':'));
	return kind === 'model' || kind === 'knowledge' || (kind === 'http' && /^(?:get|head)$/i.test(String(getField(request, 'method'))));
}

const recordAdvice = "Record it with the mode 'new', or all of the recording with 'all'.";

/** Names of calls in messages. */
const kindNames: Readonly<Record<CallKind, string>> = {
	model: 'model request',
	text: 'text generation request',
	http: 'HTTP request',
	tool: 'tool call',
	knowledge: 'knowledge search',
	code: 'Python code',
	template: 'template with random values',
	clock: 'time',
};

/** Returns the names under which entries are found, with the most specific first. */
function listLookups(key: string, place: RecordingPlace, node: string): readonly string[] {
	const levels = [getPlaceKey(place), JSON.stringify([place.case, place.row]), ''];
	return levels.flatMap(level => [`${key}\n${level}\n${node}`, `${key}\n${level}`]);
}

function addTo(map: Map<string, Entry[]>, name: string, entry: Entry): void {
	const list = map.get(name);
	if (list) {
		list.push(entry);
	} else {
		map.set(name, [entry]);
	}
}

function isSameReply(left: EntryContent, right: EntryContent): boolean {
	const toComparable = ({ reply, error }: EntryContent) =>
		JSON.stringify([typeof reply === 'object' && reply !== null ? { ...reply, chunks: undefined } : reply, error]);
	return toComparable(left) === toComparable(right);
}

function countEqual(left: unknown, right: unknown): number {
	if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
		return Number(left === right);
	}
	return Object.entries(right).reduce(
		(sum, [name, value]) => sum + (Object.hasOwn(left, name) ? countEqual((left as Readonly<Record<string, unknown>>)[name], value) : 0),
		0,
	);
}
