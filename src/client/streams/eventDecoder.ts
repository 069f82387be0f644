import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { EventMeter, mostEventLines } from '#network/eventMeter.ts';

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
	/** The parser limits the characters of an event, not its lines, each of which costs it far more than its characters. */
	readonly #meter = new EventMeter({ bytes: Number.POSITIVE_INFINITY, lines: mostEventLines });
	#isWhole = false;

	/** @param onEvent is called while {@link push} and {@link end} run */
	constructor(onEvent: (message: EventSourceMessage) => void) {
		this.#parser = createParser({
			onEvent: message => {
				this.#isWhole = true;
				onEvent(message);
			},
			onError: error => {
				if (error.type === 'max-buffer-size-exceeded') {
					throw new RangeError(`an event of more than ${longestEvent} characters`);
				}
			},
			maxBufferSize: longestEvent,
		});
	}

	push(chunk: Uint8Array): void {
		this.#isWhole = false;
		this.#parser.feed(this.#text.decode(chunk, streaming));
		// most chunks complete an event, and then there is nothing to count
		if (this.#isWhole) {
			this.#meter.reset();
		} else if (this.#meter.add(chunk)) {
			throw new RangeError(`an event of more than ${mostEventLines} lines`);
		}
	}

	/** Gives out what is left. */
	end(): void {
		this.#parser.feed(`${this.#text.decode()}\n\n`);
	}
}
