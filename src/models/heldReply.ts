import type { IncomingHttpHeaders } from 'node:http';
import { tryParseJson } from '#base/text/json.ts';
import { decompress, decompressStart, findEncoding } from './compression.ts';
import { KeyMask } from './keyMask.ts';
import { isErrorValue } from './maskedEvents.ts';

/**
 * Decides if a reply with a status of success has to be held back because it may be an error that quotes the upstream's key: a short JSON
 * object or text. Other replies, such as Gemini's streamed arrays and the empty lines that keep a connection open, are sent as they arrive.
 */
export class HeldReply {
	readonly #key: string;
	/** Undefined if the reply isn't compressed. */
	readonly #encoding: string | undefined;
	/** True if the reply should be JSON or text. */
	readonly #isText: boolean;
	/** First bytes of a compressed reply. */
	#head: Buffer = nothing;
	/** First character that isn't white space. */
	#first: string | undefined;
	/** Number of bytes that may be part of an error. */
	#size = 0;

	constructor(key: string, headers: IncomingHttpHeaders) {
		this.#key = key;
		this.#encoding = findEncoding(headers);
		this.#isText = /^(?:$|text\/|application\/json)/i.test(headers['content-type'] ?? '');
	}

	/** Accepts the next bytes. */
	add(bytes: Buffer): void {
		if (this.#first === undefined) {
			this.#first = this.#encoding === undefined ? findFirst(bytes) : this.#findCompressed(bytes, this.#encoding);
		}
		if (this.#encoding !== undefined || this.#first !== undefined) {
			this.#size += bytes.length;
		}
	}

	/** True if nothing that arrived since the last white space may be sent yet. */
	get isHeld(): boolean {
		if (this.#size > longestHeld) {
			return false;
		}
		// white space can be sent, but compressed bytes can't be separated
		return this.#first === undefined ? this.#encoding !== undefined : this.#first === '{' || (this.#isText && this.#first !== '[');
	}

	/** Returns the decompressed reply with its key masked; undefined if it isn't an error or doesn't quote the key. */
	mask(body: Buffer): Buffer | undefined {
		const mask = new KeyMask(this.#key);
		const text = decompress(body, this.#encoding ?? 'identity');
		return text && mask.isIn(text) && isError(text) ? mask.maskBytes(text) : undefined;
	}

	#findCompressed(bytes: Buffer, encoding: string): string | undefined {
		if (this.#head.length >= longestHead) {
			return undefined;
		}
		this.#head = Buffer.concat([this.#head, bytes.subarray(0, longestHead - this.#head.length)]);
		return findFirst(decompressStart(this.#head, encoding) ?? nothing);
	}
}

const nothing: Buffer = Buffer.alloc(0);
/** Maximum bytes of a reply that are buffered to look for a quoted key. Error bodies are far shorter. */
const longestHeld = 65_536;
/** Number of compressed bytes that are enough to read the first character. */
const longestHead = 1024;

function findFirst(bytes: Buffer): string | undefined {
	const at = bytes.findIndex(byte => byte > 0x20);
	return at < 0 ? undefined : String.fromCharCode(bytes[at] ?? 0);
}

/** As in event streams, text that isn't JSON counts as an error because no protocol has it in a reply. */
function isError(body: Buffer): boolean {
	const value = tryParseJson(body.toString());
	return value === undefined || isErrorValue(value);
}
