import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { TooLargeError } from '#network/replyLimits.ts';

/**
 * Maximum tool calls per reply and objects per event. The AI SDK compares each delta of a call with all earlier calls, so more would take
 * too long.
 */
const mostCalls = 1_000;
const mostObjects = 5_000;

/** Wraps `fetch` so that reading an event with too many objects, such as deltas of calls, fails with a {@link TooLargeError}. */
export function limitEventObjects(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const response = await fetch(input, init);
		const { body, status, headers } = response;
		if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
			return response;
		}
		return new Response(body.pipeThrough(new TransformStream(new ObjectCounter())), { status, headers });
	};
}

/** Creates a stream that fails with a {@link TooLargeError} at too many tool calls. */
export function createCallLimiter(): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
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

/** Counts the objects in each event, ignoring strings. */
class ObjectCounter implements Transformer<Uint8Array, Uint8Array> {
	#objects = 0;
	#isQuoted = false;
	#isEscaped = false;
	/** Number of line breaks before this byte. CR LF counts as one. */
	#breaks = 0;
	#afterReturn = false;

	transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
		for (const byte of chunk) {
			this.#countByte(byte);
		}
		controller.enqueue(chunk);
	}

	#countByte(byte: number): void {
		if (byte === lineFeed || byte === carriageReturn) {
			this.#breaks += byte === lineFeed && this.#afterReturn ? 0 : 1;
			this.#afterReturn = byte === carriageReturn;
			// JSON strings have no line breaks, and an empty line ends the event
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
