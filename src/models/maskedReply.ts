import type { KeyMask } from './keyMask.ts';
import { LongEvent } from './longEvent.ts';
import { isErrorText } from './maskedEvents.ts';

/**
 * Masks a key in a reply that reports an error despite a success status. JSON objects and texts are buffered, because the error mark may
 * come after the key. Lists, such as Gemini's streams, and replies too long to buffer are searched as they pass. Everything else is sent
 * unchanged, including the empty lines that keep a connection open.
 */
export class MaskedReply {
	readonly #mask: KeyMask;
	/** True if the reply's content type is JSON, XML or text. */
	readonly #isText: boolean;
	#hasStarted = false;
	#held: Buffer[] = [];
	#heldSize = 0;
	/** Handles the reply if it isn't buffered. */
	#passing: LongEvent | undefined;
	#isMasked = false;

	/** @param type content type of the reply */
	constructor(mask: KeyMask, type: string) {
		this.#mask = mask;
		this.#isText = /^(?:$|text\/|application\/(?:json|xml|problem))/i.test(type);
	}

	/** True if masking can change the length of the reply, as far as it has been read. */
	get changesLength(): boolean {
		return !this.#hasStarted || this.#isMasked || this.#passing !== undefined;
	}

	/** Accepts the next bytes and returns those that can be sent now, possibly none. */
	add(bytes: Buffer): Buffer {
		if (this.#hasStarted) {
			return this.#heldSize > 0 ? this.#bufferBytes(bytes) : (this.#passing?.add(bytes) ?? bytes);
		}
		const first = bytes.find(byte => byte > space);
		if (first === undefined) {
			return bytes;
		}
		this.#hasStarted = true;
		if (first === openBrace || (this.#isText && first !== openBracket)) {
			return this.#bufferBytes(bytes);
		}
		this.#passing = first === openBracket ? new LongEvent(this.#mask, false) : undefined;
		return this.#passing?.add(bytes) ?? bytes;
	}

	/** Returns the buffered bytes when the reply ends. */
	endReply(): Buffer {
		const held = Buffer.concat(this.#held);
		const masked = this.#mask.isContainedIn(held) && isErrorText(held) ? this.#mask.maskBytes(held) : held;
		this.#isMasked = masked !== held;
		return this.#passing?.endEvent(nothing) ?? masked;
	}

	/** Returns the buffered bytes when the reply breaks off. Drops an incomplete object, so that the caller can get an error instead. */
	breakOffReply(): Buffer {
		return this.#passing?.endEvent(nothing) ?? nothing;
	}

	#bufferBytes(bytes: Buffer): Buffer {
		this.#held.push(bytes);
		this.#heldSize += bytes.length;
		if (this.#heldSize <= longestHeld) {
			return nothing;
		}
		const held = Buffer.concat(this.#held);
		this.#held = [];
		this.#heldSize = 0;
		this.#passing = new LongEvent(this.#mask, false);
		return this.#passing.add(held);
	}
}

const nothing: Buffer = Buffer.alloc(0);
/** Maximum bytes of a reply that are buffered. Error bodies are far shorter. */
const longestHeld = 65_536;
const space = 0x20;
const openBrace = 0x7b;
const openBracket = 0x5b;
