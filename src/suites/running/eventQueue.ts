/** Entries between who makes them and who reads them; who makes them waits while the reader is behind. */
export class EventQueue<T> {
	readonly #most: number;
	readonly #entries: T[] = [];
	/** Lets the reader go on. */
	#wake: (() => void) | undefined;
	#room: PromiseWithResolvers<void> | undefined;
	#ended = false;

	/** `most`: entries that wait at a time, as far as makers await {@link push}. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Adds an entry; resolves when there is room for the next. */
	async push(entry: T): Promise<void> {
		this.#entries.push(entry);
		this.#tell();
		while (this.#entries.length >= this.#most && !this.#ended) {
			this.#room ??= Promise.withResolvers<void>();
			await this.#room.promise;
		}
	}

	/** No more entries come; those that wait are still read. */
	end(): void {
		this.#ended = true;
		this.#tell();
		this.#release();
	}

	/** Entries as they come, until the end. Who leaves the loop ends the queue: nobody waits for room any more. */
	async *read(): AsyncGenerator<T, void> {
		try {
			for (;;) {
				while (this.#entries.length > 0) {
					const entry = this.#entries.shift()!;
					if (this.#entries.length < this.#most) {
						this.#release();
					}
					yield entry;
				}
				if (this.#ended) {
					return;
				}
				const { promise, resolve } = Promise.withResolvers<void>();
				this.#wake = resolve;
				await promise;
			}
		} finally {
			this.end();
		}
	}

	/** The reader goes on when what is under way is sent: who makes entries has more to do than to tell of them. */
	#tell(): void {
		if (this.#wake) {
			setImmediate(this.#wake);
			this.#wake = undefined;
		}
	}

	#release(): void {
		this.#room?.resolve();
		this.#room = undefined;
	}
}
