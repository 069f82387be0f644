import type { KeyMask } from './keyMask.ts';

/**
 * Masks a key in one event that is too long to hold, from where it is clear that the event reports an error. Holds back no more bytes than a key and a mark
 * of an error can have.
 */
export class LongEvent {
	readonly #mask: KeyMask;
	#isError: boolean | undefined;
	/** The last bytes as Latin-1, which may be the first part of a key or of a mark. */
	#held = '';

	constructor(mask: KeyMask) {
		this.#mask = mask;
	}

	/** Takes the next bytes of the event, first all that were held of it, and returns those that can be sent now. */
	add(bytes: Buffer): Buffer {
		const text = this.#masked(bytes);
		const end = Math.max(0, text.length - this.#mask.longestForm - longestMark);
		this.#held = text.slice(end);
		return Buffer.from(text.slice(0, end), 'latin1');
	}

	/** Takes the last bytes of the event and returns what is left of it. */
	end(bytes: Buffer): Buffer {
		return Buffer.from(this.#masked(bytes), 'latin1');
	}

	#masked(bytes: Buffer): string {
		const text = this.#held + bytes.toString('latin1');
		// as in a whole event, data that isn't JSON counts as an error
		this.#isError ??= !/^data: *[{[]/m.test(text);
		this.#isError ||= errorMark.test(text);
		return this.#isError ? this.#mask.latin1(text) : text;
	}
}

/** Characters of the longest mark of an error that is found, with some spaces. */
const longestMark = 64;
/** What says in any protocol that an event reports an error. In a text of a model, a quotation mark would follow a backslash. */
const errorMark = /^event: ?error|[{,\s]"(?:error"\s{0,9}:\s{0,9}(?:[{[t1-9-]|"[^"])|(?:type|event)"\s{0,9}:\s{0,9}"error")/m;
