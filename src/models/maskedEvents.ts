import { toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { KeyMask } from './keyMask.ts';
import { LongEvent } from './longEvent.ts';

/** Maximum bytes of an incomplete event that are buffered. Nearly all events are far shorter. */
const longestHeld = 65_536;

/**
 * Masks a key in the error events of an event stream. Other events keep their bytes, because a model may write text that equals the
 * placeholder key of a local server. Incomplete events are buffered, because a key may be split across chunks, and clients can't use half
 * an event anyway. {@link LongEvent} handles events too long to buffer.
 */
export class MaskedEvents {
	readonly changesLength = true;
	readonly #mask: KeyMask;
	#held: Buffer[] = [];
	#heldSize = 0;
	/** Last bytes of the open event. They may be the first half of the empty line that ends it. */
	#tail = nothing;
	/** Handles the open event if it's too long to buffer. */
	#long: LongEvent | undefined;

	constructor(mask: KeyMask) {
		this.#mask = mask;
	}

	/** Accepts the next bytes and returns those that can be sent now, possibly none. */
	add(bytes: Buffer): Buffer {
		if (this.#heldSize === 0 && !this.#long && findEventEnd('last', bytes) === bytes.length) {
			return this.#maskErrors(bytes);
		}
		const end = this.#findEventEnd(bytes, this.#long ? 'first' : 'last');
		if (this.#long) {
			if (end === 0) {
				this.#tail = getLastBytes(this.#tail, bytes);
				return this.#long.add(bytes);
			}
			const last = this.#long.endEvent(bytes.subarray(0, end));
			this.#long = undefined;
			this.#tail = nothing;
			return Buffer.concat([last, this.add(bytes.subarray(end))]);
		}
		const complete = end === 0 ? nothing : this.#maskErrors(Buffer.concat([...this.#takeBufferedBytes(), bytes.subarray(0, end)]));
		this.#bufferBytes(bytes.subarray(end));
		if (this.#heldSize <= longestHeld) {
			return complete;
		}
		this.#long = new LongEvent(this.#mask);
		return Buffer.concat([complete, this.#long.add(Buffer.concat(this.#takeBufferedBytes()))]);
	}

	/** Returns the buffered bytes when the stream ends. */
	endReply(): Buffer {
		return this.#long?.endEvent(nothing) ?? this.#maskErrors(Buffer.concat(this.#takeBufferedBytes()));
	}

	/** Returns the buffered bytes when the stream breaks off. */
	breakOffReply(): Buffer {
		return this.endReply();
	}

	#bufferBytes(bytes: Buffer): void {
		if (bytes.length > 0) {
			this.#tail = getLastBytes(this.#heldSize === 0 ? nothing : this.#tail, bytes);
			this.#held.push(bytes);
			this.#heldSize += bytes.length;
		}
	}

	#takeBufferedBytes(): readonly Buffer[] {
		const held = this.#held;
		this.#held = [];
		this.#heldSize = 0;
		return held;
	}

	/** Returns the position in the next bytes where the first or last event ends; 0 if none ends. */
	#findEventEnd(bytes: Buffer, which: 'first' | 'last'): number {
		const tail = this.#heldSize > 0 || this.#long ? this.#tail : nothing;
		return Math.max(0, findEventEnd(which, Buffer.concat([tail, bytes])) - tail.length);
	}

	#maskErrors(events: Buffer): Buffer {
		if (!this.#mask.isContainedIn(events)) {
			return events;
		}
		// only examine events around the key, because a chunk may contain thousands of others
		const text = events.toString('latin1');
		let masked = '';
		let from = 0;
		for (let at = this.#mask.findKey(text, from); at >= 0; at = this.#mask.findKey(text, from)) {
			const before = Buffer.from(text.slice(from, at), 'latin1');
			const begin = from + findEventEnd('last', before);
			anyEnd.lastIndex = at;
			const to = anyEnd.test(text) ? anyEnd.lastIndex : text.length;
			const event = text.slice(begin, to);
			masked += text.slice(from, begin);
			masked += isErrorEvent(Buffer.from(event, 'latin1').toString()) ? this.#mask.maskLatin1(event) : event;
			from = to;
		}
		return Buffer.from(masked + text.slice(from), 'latin1');
	}
}

const nothing: Buffer = Buffer.alloc(0);
/** Matches the empty line that ends an event; lines end in LF, CRLF or CR. */
const ends = ['\n\n', '\n\r\n', '\r\r'];
const anyEnd = /\n\r?\n|\r\r/g;

/** Returns the number of bytes up to the end of the first or last event; 0 if none ends. */
function findEventEnd(which: 'first' | 'last', bytes: Buffer): number {
	const found = ends.flatMap(end => {
		const at = which === 'first' ? bytes.indexOf(end) : bytes.lastIndexOf(end);
		return at < 0 ? [] : [at + end.length];
	});
	return found.length === 0 ? 0 : which === 'first' ? Math.min(...found) : Math.max(...found);
}

function getLastBytes(before: Buffer, bytes: Buffer): Buffer {
	return bytes.length > 1 ? bytes.subarray(-2) : Buffer.concat([before, bytes]).subarray(-2);
}

/**
 * True if an event reports an error in any protocol. Data that isn't JSON counts as an error, because replies have no such data in any
 * protocol.
 */
function isErrorEvent(event: string): boolean {
	if (/^event: ?error/m.test(event)) {
		return true;
	}
	const data = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
	return isErrorText(data);
}

/** True if a text reports an error or isn't a reply in any protocol. Some services report errors in a form of their own. */
export function isErrorText(text: Buffer | string): boolean {
	const value = tryParseJson(text.toString());
	return [value].flat().some(each => isErrorValue(each) || !isReplyValue(each));
}

/** Fields of replies and their events, of which each has at least one. */
const replyFields = [
	'choices',
	'content',
	'candidates',
	'output',
	'text',
	'delta',
	'item',
	'part',
	'response',
	'arguments',
	'content_block',
	'annotation',
	'model',
	'refusal',
	'embedding',
	'embeddings',
	'usage',
	'usageMetadata',
	'results',
];

function isReplyValue(value: unknown): boolean {
	const fields = toFields(value);
	const isMessage = typeof fields['message'] === 'object' && fields['message'] !== null;
	return isMessage || Array.isArray(fields['data']) || replyFields.some(name => Boolean(fields[name]));
}

/** True if the value of a reply or an event's data reports an error. */
export function isErrorValue(value: unknown): boolean {
	const { type, event, error, response, data } = (value ?? {}) as Readonly<Record<string, unknown>>;
	// OpenAI's `response.failed` and Dify's run events nest the error one level deeper
	const below = [response, data].some(each => typeof each === 'object' && each !== null && Boolean((each as { error?: unknown }).error));
	return type === 'error' || event === 'error' || Boolean(error) || below;
}
