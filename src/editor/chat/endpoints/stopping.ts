import { getErrorMessage, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';

/** Milliseconds to wait for a stopped run to end before its stream is cut. */
const patienceMs = 5000;

/**
 * Stops a run through the service, with the task ID from the run's events. Before the first event, waits for the task ID. If the service
 * refuses the stop or the stream doesn't end in time, cuts the stream, which then rejects with a {@link Problem} `stop-refused` or
 * `stop-unanswered`, because the run may still be active.
 */
export class Stopping {
	readonly #signal: AbortSignal;
	readonly #sendStop: (taskId: string) => Promise<unknown>;
	readonly #words: Localization;
	readonly #cut = new AbortController();
	readonly #onStop = () => this.#requestStop();
	#taskId: string | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** The error to report if the stream was cut. */
	#failure: Problem | undefined;

	/** `signal` aborts when the user stops the run. `sendStop` sends the request to the service. */
	constructor(signal: AbortSignal, sendStop: (taskId: string) => Promise<unknown>, words: Localization) {
		this.#words = words;
		this.#signal = signal;
		this.#sendStop = sendStop;
		signal.addEventListener('abort', this.#onStop);
	}

	/** Aborts when the stream must be cut. */
	get cut(): AbortSignal {
		return this.#cut.signal;
	}

	/** Passes on the events and remembers their task ID. */
	async *watchEvents<T extends object>(events: AsyncIterable<T>): AsyncIterable<T> {
		try {
			for await (const event of events) {
				if (this.#taskId === undefined && 'task_id' in event && typeof event.task_id === 'string') {
					this.#taskId = event.task_id;
					if (this.#signal.aborted) {
						this.#requestStop();
					}
				}
				yield event;
			}
		} catch (error) {
			throw this.#failure ?? error;
		}
	}

	dispose(): void {
		this.#signal.removeEventListener('abort', this.#onStop);
		clearTimeout(this.#timer);
	}

	#requestStop(): void {
		if (this.#timer === undefined) {
			// start the time limit even if the task ID isn't known yet
			this.#timer = setTimeout(() => this.#onStopTimeout(), patienceMs);
		}
		if (this.#taskId !== undefined) {
			this.#sendStop(this.#taskId).catch(error => {
				this.#cutStream(
					'stop-refused',
					this.#words.t({
						message: "The part received so far is saved, but the reply couldn't be stopped. {0}",
						args: [getErrorMessage(error).replace(/\.?$/, '.')],
						comment: ['{0} is a sentence that says why'],
					}),
				);
			});
		}
	}

	#onStopTimeout(): void {
		this.#cutStream(
			'stop-unanswered',
			this.#taskId === undefined
				? this.#words.t(
						'The part received so far is saved. The run might still be going because the service sent no task ID to stop it with.',
					)
				: this.#words.t("The part received so far is saved. The service hasn't confirmed the stop, so the run might still be going."),
		);
	}

	#cutStream(reason: string, message: string): void {
		this.#failure ??= new Problem(reason, message);
		this.#cut.abort();
	}
}
