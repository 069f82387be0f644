/** A queue between a writer and a reader. The writer waits while the queue is full. */
export class EventQueue<T> {
	readonly #most: number;
	readonly #entries: T[] = [];
	/** Resumes the reader. */
	#wake: (() => void) | undefined;
	#room: PromiseWithResolvers<void> | undefined;
	#ended = false;

	/** @param most maximum number of entries, if the writer awaits {@link push} */
	constructor(most: number) {
		this.#most = most;
	}

	/** Adds an entry; resolves when there is room for the next one. */
	async push(entry: T): Promise<void> {
		this.#entries.push(entry);
		this.#wakeReader();
		while (this.#entries.length >= this.#most && !this.#ended) {
			this.#room ??= Promise.withResolvers<void>();
			await this.#room.promise;
		}
	}

	/** Ends the queue; remaining entries can still be read. */
	endQueue(): void {
		this.#ended = true;
		this.#wakeReader();
		this.#releaseWriter();
	}

	/** Yields entries until the end. Leaving the loop ends the queue, so that the writer doesn't wait. */
	async *readEntries(): AsyncGenerator<T, void> {
		try {
			for (;;) {
				while (this.#entries.length > 0) {
					const entry = this.#entries.shift()!;
					if (this.#entries.length < this.#most) {
						this.#releaseWriter();
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
			this.endQueue();
		}
	}

	/** Resumes the reader after pending requests are sent, because the writer's work has priority. */
	#wakeReader(): void {
		if (this.#wake) {
			setImmediate(this.#wake);
			this.#wake = undefined;
		}
	}

	#releaseWriter(): void {
		this.#room?.resolve();
		this.#room = undefined;
	}
}
