/**
 * Wraps `fetch` to complete event streams. Some services omit the empty line after the last event, and readers would drop that event. A
 * stream that was cut within an event stays cut.
 */
export function completeEventStreams(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		const response = await fetch(input, init);
		const { body, status, headers } = response;
		if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
			return response;
		}
		return new Response(body.pipeThrough(new TransformStream(new LastEvent())), { status, headers });
	};
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Last characters of complete event data, which is a JSON object or `[DONE]`. */
const wholeEnds = new Set([...'}]'].map(character => character.charCodeAt(0)));

class LastEvent implements Transformer<Uint8Array, Uint8Array> {
	/** Last byte other than a line end. */
	#last = 0;

	transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void {
		let at = chunk.length - 1;
		while (at >= 0 && (chunk[at] === lineFeed || chunk[at] === carriageReturn)) {
			at--;
		}
		this.#last = chunk[at] ?? this.#last;
		controller.enqueue(chunk);
	}

	flush(controller: TransformStreamDefaultController<Uint8Array>): void {
		if (wholeEnds.has(this.#last)) {
			controller.enqueue(Buffer.from('\n\n'));
		}
	}
}
