import type { KeyMask } from './keyMask.ts';

/**
 * Masks a key in an event that is too long to buffer, once it's clear that the event reports an error. Holds back no more bytes than a key
 * and an error mark can have.
 */
export class LongEvent {
	readonly #mask: KeyMask;
	#isError: boolean | undefined;
	/** Last bytes as Latin-1, which may be the start of a key or an error mark. */
	#held = '';

	constructor(mask: KeyMask) {
		this.#mask = mask;
	}

	/** Accepts the next bytes of the event, starting with all buffered ones, and returns those that can be sent now. */
	add(bytes: Buffer): Buffer {
		const text = this.#maskText(bytes);
		const end = Math.max(0, text.length - this.#mask.longestForm - longestMark);
		this.#held = text.slice(end);
		return Buffer.from(text.slice(0, end), 'latin1');
	}

	/** Accepts the last bytes of the event and returns the rest of it. */
	end(bytes: Buffer): Buffer {
		return Buffer.from(this.#maskText(bytes), 'latin1');
	}

	#maskText(bytes: Buffer): string {
		const text = this.#held + bytes.toString('latin1');
		// as in a complete event, data that isn't JSON counts as an error
		this.#isError ??= !/^data: *[{[]/m.test(text);
		this.#isError ||= errorMark.test(text);
		return this.#isError ? this.#mask.maskLatin1(text) : text;
	}
}

/** Maximum length of an error mark, with some spaces. */
const longestMark = 64;
/** Matches events that report an error in any protocol. Within a model's text, quotation marks would be escaped. */
const errorMark = /^event: ?error|[{,\s]"(?:error"\s{0,9}:\s{0,9}(?:[{[t1-9-]|"[^"])|(?:type|event)"\s{0,9}:\s{0,9}"error")/m;
