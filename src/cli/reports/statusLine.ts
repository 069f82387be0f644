/** Milliseconds between redraws. */
const drawMs = 100;

/** A status line at the bottom of a terminal. Does nothing if the stream isn't a terminal. */
export class StatusLine {
	readonly #stream: NodeJS.WriteStream;
	#formatText: () => string = () => '';
	#timer: NodeJS.Timeout | undefined;
	#drawn = false;

	constructor(stream: NodeJS.WriteStream) {
		this.#stream = stream;
	}

	get isShown(): boolean {
		return this.#timer !== undefined;
	}

	/** Shows the text that the function returns and keeps it updated until {@link stopUpdates} is called. */
	showText(text: () => string): void {
		this.#formatText = text;
		if (this.#stream.isTTY && process.env['TERM'] !== 'dumb') {
			this.#timer = setInterval(() => this.#drawLine(), drawMs).unref();
		}
	}

	/** Removes the line so that other output can be written. The line is redrawn automatically. */
	clear(): void {
		if (this.#drawn) {
			this.#drawn = false;
			this.#stream.write('\r\u001b[2K');
		}
	}

	stopUpdates(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
		this.clear();
	}

	#drawLine(): void {
		// a line that wraps couldn't be removed again
		const text = this.#formatText().slice(0, Math.max(10, (this.#stream.columns ?? 80) - 1));
		this.#stream.write(`\r\u001b[2K${text}`);
		this.#drawn = true;
	}
}
