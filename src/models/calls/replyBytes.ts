import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Number of bytes to search for token counts at the start and at the end of a reply. */
const headBytes = 4_096;
const tailBytes = 16_384;
/** Longest compressed reply whose tokens are counted, because that needs the whole reply. */
const maxCompressed = 1_048_576;
/** Longest reply that is stored whole. */
const maxWhole = 8 * 1_048_576;

/**
 * Collects the first and last bytes of a passing reply without copying them, or the whole reply if it will be stored. The bytes are only
 * read after the reply has ended.
 */
export class ReplyBytes {
	/** True if the reply ended normally. */
	isComplete = false;
	readonly #whole: boolean;
	#limit = 0;
	#headers: OutgoingHttpHeaders = noHeaders;
	readonly #head: Buffer[] = [];
	#headSize = 0;
	readonly #tail: Buffer[] = [];
	#tailSize = 0;
	/** True if bytes between head and tail were dropped. */
	#hasGap = false;

	/** @param whole true to store the whole reply */
	constructor(whole: boolean) {
		this.#whole = whole;
		this.#limit = whole ? maxWhole : headBytes;
	}

	/** Sets the headers. Call it before the first byte. */
	setHeaders(headers: OutgoingHttpHeaders): void {
		this.#headers = headers;
		if (!this.#whole && this.#encoding !== undefined) {
			this.#limit = maxCompressed;
		}
	}

	add(bytes: Buffer): void {
		if (this.#headSize < this.#limit) {
			this.#head.push(bytes);
			this.#headSize += bytes.length;
			return;
		}
		this.#tail.push(bytes);
		this.#tailSize += bytes.length;
		for (let first = this.#tail[0]; first && this.#tailSize - first.length >= tailBytes; first = this.#tail[0]) {
			this.#tail.shift();
			this.#hasGap = true;
			this.#tailSize -= first.length;
		}
	}

	/** Returns the whole reply with the headers needed to read it; undefined if it wasn't stored or was too long. */
	getWholeReply(): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | undefined {
		if (!this.#whole || this.#tailSize > 0) {
			return undefined;
		}
		const headers = Object.fromEntries(
			kept.flatMap(name => (this.#headers[name] === undefined ? [] : [[name, String(this.#headers[name])]])),
		);
		return { headers, body: Buffer.concat(this.#head) };
	}

	/** Returns the decompressed parts that may contain token counts. Never rejects; returns nothing if decompression fails. */
	async readChunks(): Promise<readonly Buffer[]> {
		if (this.#encoding === undefined) {
			return this.getPlainChunks();
		}
		const inflate = this.#tailSize === 0 ? decoders[this.#encoding] : undefined;
		const body = await inflate?.(Buffer.concat(this.#head)).catch(() => undefined);
		return body ? [body] : [];
	}

	/** True if the reply has to be decompressed to read it. */
	get isCompressed(): boolean {
		return this.#encoding !== undefined;
	}

	/** Returns the parts of an uncompressed reply: all of it, or its start and end. */
	getPlainChunks(): readonly Buffer[] {
		const [first] = this.#head;
		const isOne = first && this.#head.length === 1 && this.#tail.length === 0;
		if (isOne) {
			return [first];
		}
		return this.#hasGap ? [Buffer.concat(this.#head), Buffer.concat(this.#tail)] : [Buffer.concat([...this.#head, ...this.#tail])];
	}

	get #encoding(): string | undefined {
		const encoding = this.#headers['content-encoding'];
		return encoding === undefined || encoding === 'identity' ? undefined : String(encoding).toLowerCase();
	}
}

const noHeaders: OutgoingHttpHeaders = {};

/** Headers that are needed to read the body of a reply, or that say which parts of the request were lost. */
const kept = ['content-type', 'content-encoding', 'warning', 'cache-control'];

const limits = { maxOutputLength: 16 * 1_048_576 };
const gunzipBytes = (body: Buffer) =>
	promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.unzip)(body, { ...limits, finishFlush: zlib.constants.Z_SYNC_FLUSH });
const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
	gzip: gunzipBytes,
	'x-gzip': gunzipBytes,
	deflate: gunzipBytes,
	br: body => promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)(body, limits),
};
