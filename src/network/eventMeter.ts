/** What a parser of an event stream has to keep until an event is complete. */
interface EventLimits {
	readonly bytes: number;
	/** A parser keeps dozens of bytes for each line, however short it is. No service sends thousands of lines in one event. */
	readonly lines: number;
}

/** Measures the event that a stream of bytes (server-sent events) is in the middle of: bytes and lines since the last empty line. */
export class EventMeter {
	readonly #limits: EventLimits;
	#bytes = 0;
	#lines = 0;
	/** Line breaks at the end of what came so far, `\r\n` as one. */
	#breaks = 0;
	#afterReturn = false;

	constructor(limits: EventLimits) {
		this.#limits = limits;
	}

	/** Counts the next bytes of the stream. Returns the limit that the event is over, if any. */
	add(chunk: Uint8Array): keyof EventLimits | undefined {
		let bytes = this.#bytes;
		let lines = this.#lines;
		let breaks = this.#breaks;
		let afterReturn = this.#afterReturn;
		for (let at = 0; at < chunk.length; at++) {
			const byte = chunk[at];
			bytes++;
			if (byte === 10 && afterReturn) {
				afterReturn = false;
			} else if (byte === 10 || byte === 13) {
				afterReturn = byte === 13;
				breaks++;
				lines++;
			} else {
				afterReturn = false;
				breaks = 0;
			}
			if (breaks > 1) {
				bytes = 0;
				lines = 0;
			}
		}
		this.#bytes = bytes;
		this.#lines = lines;
		this.#breaks = breaks;
		this.#afterReturn = afterReturn;
		return bytes > this.#limits.bytes ? 'bytes' : lines > this.#limits.lines ? 'lines' : undefined;
	}

	/** Starts again: an event ended in the last bytes. */
	reset(): void {
		this.#bytes = 0;
		this.#lines = 0;
		this.#breaks = 0;
		this.#afterReturn = false;
	}
}

/** Lines of one event that are read. */
export const mostEventLines = 65_536;
