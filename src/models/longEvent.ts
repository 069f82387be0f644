import type { KeyMask } from './keyMask.ts';

/**
 * Masks a key in an event or other JSON that is too long to buffer, once it's clear that it reports an error. Holds back no more bytes than
 * a key or an error mark can have.
 */
export class LongEvent {
	readonly #mask: KeyMask;
	#isError: boolean | undefined;
	/** Last character that was sent. */
	#last = '';
	/** Last bytes as Latin-1. They may be the start of a key or an error mark. */
	#held = '';

	/** @param isError false for JSON outside an event stream; undefined to decide by the first line of an event */
	constructor(mask: KeyMask, isError?: boolean) {
		this.#mask = mask;
		this.#isError = isError;
	}

	/** Accepts the next bytes of the event, starting with all buffered ones, and returns those that can be sent now. */
	add(bytes: Buffer): Buffer {
		const text = this.#maskText(bytes, false);
		// a value doesn't continue a key or an error mark, so the rest can be sent
		const isValueEnd = /[}\],]$/.test(text.trimEnd());
		const end = isValueEnd ? text.length : Math.max(0, text.length - this.#mask.longestForm - longestMark);
		this.#held = text.slice(end);
		this.#last = text.slice(0, end).at(-1) ?? this.#last;
		return Buffer.from(text.slice(0, end), 'latin1');
	}

	/** Accepts the last bytes of the event and returns all bytes that weren't sent yet. */
	endEvent(bytes: Buffer): Buffer {
		return Buffer.from(this.#maskText(bytes, true), 'latin1');
	}

	#maskText(bytes: Buffer, isComplete: boolean): string {
		const text = this.#held + bytes.toString('latin1');
		// data that isn't JSON counts as an error, as in shorter events
		this.#isError ??= !/^data: *[{[]/m.test(text);
		this.#isError ||= errorMark.test(this.#last + text);
		return this.#isError ? this.#mask.maskLatin1(text, isComplete) : text;
	}
}

/** Maximum length of an error mark, with some spaces. */
const longestMark = 64;
/** Matches events that report an error in any protocol. In a model's text, quotation marks would be escaped. */
const errorMark = /^event: ?error|[{,\s]"(?:error"\s{0,9}:\s{0,9}(?:[{[t1-9-]|"[^"])|(?:type|event)"\s{0,9}:\s{0,9}"error")/m;
