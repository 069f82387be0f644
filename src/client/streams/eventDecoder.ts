import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { EventMeter, mostEventLines } from '#network/eventMeter.ts';

const streaming = { stream: true } as const;

/** Maximum event length in characters: longer than any service sends, but small enough not to exhaust the memory of a shared host. */
const longestEvent = 128 * 1024 * 1024;

/**
 * Decodes the bytes of an event stream into events (WHATWG, "Server-sent events"). A last event without a blank line counts, because some
 * services omit that line.
 */
export class EventDecoder {
	readonly #parser: ReturnType<typeof createParser>;
	// the parser removes the byte order mark; removing it here too would drop a second one
	readonly #text = new TextDecoder('utf-8', { ignoreBOM: true });
	/** The parser limits the characters of an event but not its lines, which cost far more to parse. */
	readonly #meter = new EventMeter({ bytes: Number.POSITIVE_INFINITY, lines: mostEventLines });
	#isWhole = false;

	/** @param onEvent is called during {@link push} and {@link flushEvents} */
	constructor(onEvent: (message: EventSourceMessage) => void) {
		this.#parser = createParser({
			onEvent: message => {
				this.#isWhole = true;
				onEvent(message);
			},
			maxBufferSize: longestEvent,
		});
	}

	push(chunk: Uint8Array): void {
		this.#isWhole = false;
		this.#feedText(this.#text.decode(chunk, streaming));
		// most chunks end with a complete event and need no counting
		if (this.#isWhole) {
			this.#meter.startNextEvent();
		} else if (this.#meter.addBytes(chunk)) {
			throw new RangeError(`an event has more than ${mostEventLines} lines`);
		}
	}

	/** Flushes the remaining data. */
	flushEvents(): void {
		this.#feedText(`${this.#text.decode()}\n\n`);
	}

	/** Feeds the parser, which has no `onError` because it would create an error with a stack trace for each invalid line. */
	#feedText(text: string): void {
		this.#parser.feed(text);
		try {
			// throws if the event is too long
			this.#parser.feed('');
		} catch {
			throw new RangeError(`an event has more than ${longestEvent} characters`);
		}
	}
}
