/** Milliseconds that a stopped run has to say that it ended, before its stream is cut. */
const patienceMs = 5000;

/**
 * Stop means stopped: the service is told, by the task ID that its events carry, and the stream is cut only where it does not end by
 * itself. A stop that comes before the first event is remembered until the task has a name.
 */
export class Stopping {
	readonly #signal: AbortSignal;
	readonly #tell: (taskId: string) => Promise<unknown>;
	readonly #cut = new AbortController();
	readonly #stop = () => this.#told();
	#taskId: string | undefined;
	#timer: NodeJS.Timeout | undefined;

	/** `signal` is the user's stop, `tell` the service's endpoint for it. */
	constructor(signal: AbortSignal, tell: (taskId: string) => Promise<unknown>) {
		this.#signal = signal;
		this.#tell = tell;
		signal.addEventListener('abort', this.#stop);
	}

	/** Cuts the stream. */
	get cut(): AbortSignal {
		return this.#cut.signal;
	}

	/** Passes events on, and learns from them what to stop. */
	async *watch<T extends object>(events: AsyncIterable<T>): AsyncIterable<T> {
		for await (const event of events) {
			if (this.#taskId === undefined && 'task_id' in event && typeof event.task_id === 'string') {
				this.#taskId = event.task_id;
				if (this.#signal.aborted) {
					this.#told();
				}
			}
			yield event;
		}
	}

	dispose(): void {
		this.#signal.removeEventListener('abort', this.#stop);
		clearTimeout(this.#timer);
	}

	#told(): void {
		if (this.#timer === undefined) {
			// without a name there is nothing to tell yet, but nobody waits longer for one than for an end
			this.#timer = setTimeout(() => this.#cut.abort(), patienceMs);
		}
		if (this.#taskId !== undefined) {
			this.#tell(this.#taskId).catch(() => this.#cut.abort());
		}
	}
}
