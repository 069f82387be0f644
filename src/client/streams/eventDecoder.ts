import { createParser, type EventSourceMessage } from 'eventsource-parser';

const streaming = { stream: true } as const;

/** Longest event in characters: over all that services send, and under what would fill the memory of a host that others share. */
const longestEvent = 128 * 1024 * 1024;

/**
 * Bytes of an event stream to the data and names of its events: split anywhere, CR, LF or both, byte order mark, comments, several `data`
 * lines (WHATWG, "Server-sent events"). An event that the end of the stream leaves without its blank line counts: services forget it.
 */
export class EventDecoder {
	readonly #parser: ReturnType<typeof createParser>;
	// the parser takes the byte order mark away; taken twice, a second one would go too
	readonly #text = new TextDecoder('utf-8', { ignoreBOM: true });

	/** @param onEvent is called while {@link push} and {@link end} run */
	constructor(onEvent: (message: EventSourceMessage) => void) {
		this.#parser = createParser({
			onEvent,
			onError: error => {
				if (error.type === 'max-buffer-size-exceeded') {
					throw new RangeError(`an event of more than ${longestEvent} characters`);
				}
			},
			maxBufferSize: longestEvent,
		});
	}

	push(chunk: Uint8Array): void {
		this.#parser.feed(this.#text.decode(chunk, streaming));
	}

	/** Gives out what is left. */
	end(): void {
		this.#parser.feed(`${this.#text.decode()}\n\n`);
	}
}
