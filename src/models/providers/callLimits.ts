import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { TooLargeError } from '#network/replyLimits.ts';

/** Tool calls of one reply, and objects of one event: the AI SDK compares each delta of a call with all calls that came before it. */
const mostCalls = 1_000;
const mostObjects = 5_000;

/** `fetch` whose event streams have no event with thousands of objects, such as deltas of calls. Reading fails with a {@link TooLargeError}. */
export function limitedObjects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const response = await fetch(input, init);
		const { body, status, headers } = response;
		if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
			return response;
		}
		return new Response(body.pipeThrough(new TransformStream(new ObjectCounter())), { status, headers });
	};
}

/** Ends a stream with a {@link TooLargeError} at more calls than any model makes at once. */
export function callLimiter(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
	let calls = 0;
	return new TransformStream({
		transform(part, controller) {
			calls += part.type === 'tool-input-start' ? 1 : 0;
			if (calls > mostCalls) {
				throw new TooLargeError('The reply', `${mostCalls} tool calls`);
			}
			controller.enqueue(part);
		},
	});
}

const [lineFeed, carriageReturn, quote, backslash, openBrace] = [...'\n\r"\\{'].map(character => character.charCodeAt(0));

/** Counts the objects of each event, not those that are written within strings. */
class ObjectCounter implements Transformer<Uint8Array, Uint8Array> {
	#objects = 0;
	#isQuoted = false;
	#isEscaped = false;
	/** Line breaks before this byte, CR LF as one. */
	#breaks = 0;
	#afterReturn = false;

	transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
		for (const byte of chunk) {
			this.#take(byte);
		}
		controller.enqueue(chunk);
	}

	#take(byte: number): void {
		if (byte === lineFeed || byte === carriageReturn) {
			this.#breaks += byte === lineFeed && this.#afterReturn ? 0 : 1;
			this.#afterReturn = byte === carriageReturn;
			// a string of JSON has no line breaks, and an empty line ends the event
			this.#objects = this.#breaks > 1 ? 0 : this.#objects;
			this.#isQuoted = false;
			this.#isEscaped = false;
			return;
		}
		this.#breaks = 0;
		this.#afterReturn = false;
		if (this.#isEscaped) {
			this.#isEscaped = false;
		} else if (this.#isQuoted && byte === backslash) {
			this.#isEscaped = true;
		} else if (byte === quote) {
			this.#isQuoted = !this.#isQuoted;
		} else if (byte === openBrace && !this.#isQuoted) {
			this.#objects++;
			if (this.#objects > mostObjects) {
				throw new TooLargeError('An event of the reply', `${mostObjects} objects`);
			}
		}
	}
}
