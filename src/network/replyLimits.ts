import { EventMeter, mostEventLines } from './eventMeter.ts';

/** A reply that is longer than what is read of one. */
export class TooLargeError extends Error {
	override readonly name = 'ResponseSizeError';

	/** @param most the most that is read, as in "2.00 MB" */
	constructor(what: string, most: string) {
		super(`${what} is over ${most}, the most that is read`);
	}
}

/** Whether an error, or what lies under it, says that a reply was too large; that error. */
export function tooLarge(error: unknown): TooLargeError | undefined {
	for (let current = error, depth = 0; current instanceof Error && depth < 6; current = current.cause, depth++) {
		if (current instanceof TooLargeError) {
			return current;
		}
	}
	return undefined;
}

/** Bytes of a whole JSON reply or of one event, and of an error body, that is read of a service. */
interface ReplyLimits {
	readonly reply: number;
	readonly errorBody: number;
}

/** 32 MB hold some images in base64; error bodies are sentences. */
export const serviceReplyLimits: ReplyLimits = { reply: 32 * 1024 * 1024, errorBody: 64 * 1024 };

/**
 * `fetch` whose replies cannot fill the memory. A reply fails with {@link TooLargeError} when it is over the limit; for `events`, each
 * event of an event stream is counted instead of the whole. An error body ends at its limit, so that its status still tells.
 */
export function limitedFetch(
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
		const limiter = isStream ? eventLimiter(limits.reply) : response.ok ? wholeLimiter(limits.reply) : cutter(limits.errorBody);
		const { status, statusText, headers } = response;
		return new Response(response.body.pipeThrough(new TransformStream(limiter)), { status, statusText, headers });
	};
}

type Limiter = Transformer<Uint8Array, Uint8Array>;

function wholeLimiter(maxBytes: number): Limiter {
	let size = 0;
	return {
		transform(chunk, controller) {
			size += chunk.length;
			if (size > maxBytes) {
				throw new TooLargeError('The reply', megabytes(maxBytes));
			}
			controller.enqueue(chunk);
		},
	};
}

function cutter(maxBytes: number): Limiter {
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

function eventLimiter(maxBytes: number): Limiter {
	const meter = new EventMeter({ bytes: maxBytes, lines: mostEventLines });
	return {
		transform(chunk, controller) {
			const exceeded = meter.add(chunk);
			if (exceeded) {
				throw new TooLargeError('An event of the reply', exceeded === 'bytes' ? megabytes(maxBytes) : `${mostEventLines} lines`);
			}
			controller.enqueue(chunk);
		},
	};
}

function megabytes(bytes: number): string {
	return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}

/** All of a source. @throws {TooLargeError} */
export async function readLimited(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of source) {
		size += chunk.length;
		if (size > maxBytes) {
			throw new TooLargeError('The reply', megabytes(maxBytes));
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
