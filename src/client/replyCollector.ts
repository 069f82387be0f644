import type { IncomingHttpHeaders } from 'node:http';
import { hasTooManyJsonValues } from '#base/text/jsonSize.ts';
import { isTooDeepJson } from '#contract/jsonDepth.ts';
import type { ResponseSink } from './transport.ts';

/** A complete response. */
export class Reply {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly bytes: Buffer;
	#body: string | undefined;

	constructor(status: number, headers: IncomingHttpHeaders, bytes: Buffer) {
		this.status = status;
		this.headers = headers;
		this.bytes = bytes;
	}

	/** The body as text. */
	get body(): string {
		this.#body ??= this.bytes.toString();
		return this.#body;
	}
}

/** Maximum size of a response in bytes; {@link CollectorEvents.onTooLong} is called for longer ones. */
export const longestBody = 256 * 1024 * 1024;

/** Maximum bytes read of an error response. A longer body is cut without an error, so that the status is still reported. */
export const longestRefusal = 1024 * 1024;

/** Outcomes of reading a complete response. */
export interface CollectorEvents {
	onDone(reply: Reply): void;
	onFailure(error: Error, sent: boolean): void;
	onTooLong(): void;
}

/** Collects a complete response. */
export class ReplyCollector implements ResponseSink {
	readonly #events: CollectorEvents;
	readonly #chunks: Buffer[] = [];
	#status = 0;
	#headers: IncomingHttpHeaders = {};
	#bytes = 0;

	constructor(events: CollectorEvents) {
		this.#events = events;
	}

	start(status: number, headers: IncomingHttpHeaders): void {
		this.#status = status;
		this.#headers = headers;
	}

	receiveChunk(chunk: Buffer): boolean {
		if (this.#status < 300 || this.#bytes < longestRefusal) {
			this.#chunks.push(chunk);
		}
		this.#bytes += chunk.length;
		if (this.#bytes > longestBody) {
			this.#events.onTooLong();
		}
		return this.#status >= 300 && this.#bytes >= longestRefusal;
	}

	endResponse(): void {
		const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
		this.#events.onDone(new Reply(this.#status, this.#headers, bytes));
	}

	failResponse(error: Error, sent: boolean): void {
		this.#events.onFailure(error, sent);
	}
}

/**
 * Parses the JSON of a body and passes it to `read`.
 * @throws {SyntaxError} if it isn't a JSON object or array; also what `read` throws
 */
export function readJson<T, R>(body: string, read: ((value: T) => R) | undefined): T | R {
	if (hasTooManyJsonValues(body)) {
		throw new TypeError('too many values');
	}
	const value: unknown = JSON.parse(body);
	if (typeof value !== 'object' || value === null) {
		throw new SyntaxError('neither an object nor a list');
	}
	if (isTooDeepJson(body, value)) {
		throw new TypeError('nested too deeply');
	}
	return read ? read(value as T) : (value as T);
}
