import { CollectedBytes } from './collectedBytes.ts';
import { EventMeter, mostEventLines } from './eventMeter.ts';

/** Thrown for a reply that exceeds its size limit. */
export class TooLargeError extends Error {
	override readonly name = 'ResponseSizeError';

	/** @param most the limit, for example "2.00 MB" */
	constructor(what: string, most: string) {
		super(`${what} exceeds the limit of ${most}`);
	}
}

/** Returns the error or the cause of it that reports a reply as too large, if any. */
export function findTooLargeError(error: unknown): TooLargeError | undefined {
	for (let current = error, depth = 0; current instanceof Error && depth < 6; current = current.cause, depth++) {
		if (current instanceof TooLargeError) {
			return current;
		}
	}
	return undefined;
}

/**
 * Size limits in bytes: `reply` for a JSON reply or one event, `errorBody` for the body of an error. `ms` is the time for a whole body, by
 * default two hours.
 */
interface ReplyLimits {
	readonly reply: number;
	readonly errorBody: number;
	readonly ms?: number;
}

/** No model needs that long, but a service can send a byte or a comment now and then forever. */
const longestMs = 2 * 3_600_000;

/** 32 MB fit several images in base64. Bodies of errors are short texts. */
export const serviceReplyLimits: ReplyLimits = { reply: 32 * 1024 * 1024, errorBody: 64 * 1024 };

/**
 * Maximum number of values and opening brackets in a reply or event, about: parsing more of them blocks the process for seconds. Those in
 * strings count too, but replies have no strings with millions of commas.
 */
const mostValues = 4_000_000;
const valueLimit = '4 million values';

/**
 * Creates a `fetch` that limits the size and the time of replies. A reply over the size limit fails with {@link TooLargeError}. With `events`, the limit
 * applies to each event of an event stream. The body of an error is cut at its limit, so that its status is still reported.
 */
export function createLimitedFetch(
	fetch: typeof globalThis.fetch,
	counted: 'whole' | 'events' = 'whole',
	limits: ReplyLimits = serviceReplyLimits,
): typeof globalThis.fetch {
	return async (input, init) => {
		const response = await fetch(input, init);
		if (response.body === null) {
			return response;
		}
		const isStream = counted === 'events' && response.ok && /^\s*text\/event-stream/i.test(response.headers.get('content-type') ?? '');
		const limiter = isStream
			? createEventLimiter(limits.reply)
			: response.ok
				? createBodyLimiter(limits.reply)
				: createBodyCutter(limits.errorBody);
		const { status, statusText, headers } = response;
		const body = response.body.pipeThrough(new TransformStream(createTimeLimiter(limits.ms ?? longestMs)));
		return new Response(body.pipeThrough(new TransformStream(limiter)), { status, statusText, headers });
	};
}

type Limiter = Transformer<Uint8Array, Uint8Array>;

/** Fails with the code of a timeout when a chunk comes too late. A service that sends nothing more has its own timeout. */
function createTimeLimiter(ms: number): Limiter {
	const end = performance.now() + ms;
	return {
		transform(chunk, controller) {
			if (performance.now() > end) {
				throw Object.assign(new Error('The reply took too long'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
			}
			controller.enqueue(chunk);
		},
	};
}

function createBodyLimiter(maxBytes: number): Limiter {
	let size = 0;
	let values = 0;
	return {
		transform(chunk, controller) {
			size += chunk.length;
			values += countValues(chunk);
			if (size > maxBytes) {
				throw new TooLargeError('The reply', formatMegabytes(maxBytes));
			}
			if (values > mostValues) {
				throw new TooLargeError('The reply', valueLimit);
			}
			controller.enqueue(chunk);
		},
	};
}

function countValues(chunk: Uint8Array): number {
	let count = 0;
	for (const byte of chunk) {
		count += byte === 0x2c || byte === 0x5b || byte === 0x7b ? 1 : 0;
	}
	return count;
}

function createBodyCutter(maxBytes: number): Limiter {
	let left = maxBytes;
	return {
		transform(chunk, controller) {
			controller.enqueue(chunk.subarray(0, left));
			left -= chunk.length;
			if (left <= 0) {
				controller.terminate();
			}
		},
	};
}

function createEventLimiter(maxBytes: number): Limiter {
	const meter = new EventMeter({ bytes: maxBytes, lines: mostEventLines });
	let values = 0;
	return {
		transform(chunk, controller) {
			const exceeded = meter.addBytes(chunk);
			// an event so far has at most as many values as bytes, so that short ones needn't be counted
			values = meter.bytes > chunk.length ? values + countValues(chunk) : 0;
			if (values > mostValues) {
				throw new TooLargeError('An event of the reply', valueLimit);
			}
			if (exceeded) {
				throw new TooLargeError('An event of the reply', exceeded === 'bytes' ? formatMegabytes(maxBytes) : `${mostEventLines} lines`);
			}
			controller.enqueue(chunk);
		},
	};
}

function formatMegabytes(bytes: number): string {
	return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}

/**
 * Reads a source to its end.
 * @throws {TooLargeError}
 */
export async function readToLimit(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
	const bytes = new CollectedBytes();
	for await (const chunk of source) {
		bytes.add(chunk);
		if (bytes.size > maxBytes) {
			throw new TooLargeError('The reply', formatMegabytes(maxBytes));
		}
	}
	return bytes.join();
}
