import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Bytes at the beginning and at the end of a reply in which its tokens are told. */
const headBytes = 4_096;
const tailBytes = 16_384;
/** Of a compressed reply all is needed; one that is longer does not tell its tokens. */
const maxCompressed = 1_048_576;
/** Of a reply that is kept whole. */
const maxWhole = 8 * 1_048_576;

/**
 * What is held of a reply while it passes: its first and last bytes, as they came and without copying any, or all of it where it is kept. Nothing here
 * reads them before the reply has ended.
 */
export class ReplyBytes {
	/** The reply came to its end in order. */
	isComplete = false;
	readonly #whole: boolean;
	#limit = 0;
	#headers: OutgoingHttpHeaders = noHeaders;
	readonly #head: Buffer[] = [];
	#headSize = 0;
	readonly #tail: Buffer[] = [];
	#tailSize = 0;
	/** Bytes between head and tail were dropped. */
	#hasGap = false;

	/** @param whole whether all of it is kept */
	constructor(whole: boolean) {
		this.#whole = whole;
		this.#limit = whole ? maxWhole : headBytes;
	}

	/** The head of the reply, before its first byte. */
	begin(headers: OutgoingHttpHeaders): void {
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

	/** All of it, with the headers that belong to it; undefined unless it is kept and was not too long. */
	whole(): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } | undefined {
		if (!this.#whole || this.#tailSize > 0) {
			return undefined;
		}
		const headers = Object.fromEntries(
			kept.flatMap(name => (this.#headers[name] === undefined ? [] : [[name, String(this.#headers[name])]])),
		);
		return { headers, body: Buffer.concat(this.#head) };
	}

	/** The pieces in which its tokens may be told, decompressed. Never rejects: what cannot be read is empty. */
	async pieces(): Promise<readonly Buffer[]> {
		if (this.#encoding === undefined) {
			return this.plain();
		}
		const inflate = this.#tailSize === 0 ? decoders[this.#encoding] : undefined;
		const body = await inflate?.(Buffer.concat(this.#head)).catch(() => undefined);
		return body ? [body] : [];
	}

	/** Whether {@link pieces} has to decompress. */
	get isCompressed(): boolean {
		return this.#encoding !== undefined;
	}

	/** As {@link pieces}, of a reply that is not compressed: all of it, or its beginning and its end. */
	plain(): readonly Buffer[] {
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

/** Headers without which the bytes of a reply cannot be read, or that tell what the request lost. */
const kept = ['content-type', 'content-encoding', 'warning', 'cache-control'];

const limits = { maxOutputLength: 16 * 1_048_576 };
const gunzip = (body: Buffer) =>
	promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.unzip)(body, { ...limits, finishFlush: zlib.constants.Z_SYNC_FLUSH });
const decoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
	gzip: gunzip,
	'x-gzip': gunzip,
	deflate: gunzip,
	br: body => promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress)(body, limits),
};
