/** How often the line is drawn, in milliseconds. */
const drawMs = 100;

/** The last line of a terminal, which says how far the work is; nothing where the stream is no terminal. */
export class StatusLine {
	readonly #stream: NodeJS.WriteStream;
	#text: () => string = () => '';
	#timer: NodeJS.Timeout | undefined;
	#drawn = false;

	constructor(stream: NodeJS.WriteStream) {
		this.#stream = stream;
	}

	get isShown(): boolean {
		return this.#timer !== undefined;
	}

	/** Shows what the function says, again and again, until {@link end}. */
	begin(text: () => string): void {
		this.#text = text;
		if (this.#stream.isTTY && process.env['TERM'] !== 'dumb') {
			this.#timer = setInterval(() => this.#draw(), drawMs).unref();
		}
	}

	/** Takes it away, so that lines can be written; it comes back by itself. */
	clear(): void {
		if (this.#drawn) {
			this.#drawn = false;
			this.#stream.write('\r\u001b[2K');
		}
	}

	end(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
		this.clear();
	}

	#draw(): void {
		// one that wraps could not be taken away again
		const text = this.#text().slice(0, Math.max(10, (this.#stream.columns ?? 80) - 1));
		this.#stream.write(`\r\u001b[2K${text}`);
		this.#drawn = true;
	}
}
