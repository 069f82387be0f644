/** Limits for the data that a parser keeps until an event is complete. */
interface EventLimits {
	readonly bytes: number;
	/**
	 * Limits the number of lines, because each takes dozens of bytes, however short it is. No service sends thousands of lines in one event.
	 */
	readonly lines: number;
}

/** Measures the current event in a stream of server-sent events, in bytes and lines since the last empty line. */
export class EventMeter {
	readonly #limits: EventLimits;
	#bytes = 0;
	#lines = 0;
	/** Number of trailing line breaks so far. `\r\n` counts as one. */
	#breaks = 0;
	#afterReturn = false;

	constructor(limits: EventLimits) {
		this.#limits = limits;
	}

	/** Bytes of the current event. */
	get bytes(): number {
		return this.#bytes;
	}

	/** Adds bytes of the stream. Returns the name of the limit that the event exceeds, if any. */
	addBytes(chunk: Uint8Array): keyof EventLimits | undefined {
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

	/** Starts over after the end of an event. */
	startNextEvent(): void {
		this.#bytes = 0;
		this.#lines = 0;
		this.#breaks = 0;
		this.#afterReturn = false;
	}
}

/** Maximum number of lines in one event. */
export const mostEventLines = 65_536;
