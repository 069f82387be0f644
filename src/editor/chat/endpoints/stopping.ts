import { messageOf, Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';

/** Milliseconds that a stopped run has to say that it ended, before its stream is cut. */
const patienceMs = 5000;

/**
 * Stop means stopped: the service is told, by the task ID that its events carry, and the stream is cut only where it does not end by
 * itself. A stop that comes before the first event is remembered until the task has a name. Where the service refuses the stop, or does not end,
 * the stream rejects with a {@link Problem} `stop-refused` or `stop-unanswered`: nobody may say then that it has stopped.
 */
export class Stopping {
	readonly #signal: AbortSignal;
	readonly #tell: (taskId: string) => Promise<unknown>;
	readonly #words: Localization;
	readonly #cut = new AbortController();
	readonly #stop = () => this.#told();
	#taskId: string | undefined;
	#timer: NodeJS.Timeout | undefined;
	/** Why the stream was cut. */
	#failure: Problem | undefined;

	/** `signal` is the user's stop, `tell` the service's endpoint for it. */
	constructor(signal: AbortSignal, tell: (taskId: string) => Promise<unknown>, words: Localization) {
		this.#words = words;
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
		try {
			for await (const event of events) {
				if (this.#taskId === undefined && 'task_id' in event && typeof event.task_id === 'string') {
					this.#taskId = event.task_id;
					if (this.#signal.aborted) {
						this.#told();
					}
				}
				yield event;
			}
		} catch (error) {
			throw this.#failure ?? error;
		}
	}

	dispose(): void {
		this.#signal.removeEventListener('abort', this.#stop);
		clearTimeout(this.#timer);
	}

	#told(): void {
		if (this.#timer === undefined) {
			// without a name there is nothing to tell yet, but nobody waits longer for one than for an end
			this.#timer = setTimeout(() => this.#giveUp(), patienceMs);
		}
		if (this.#taskId !== undefined) {
			this.#tell(this.#taskId).catch(error => {
				const why = messageOf(error).replace(/\.$/, '');
				this.#fail(
					'stop-refused',
					this.#words.t('The stop was refused: {0}. The service may go on with this reply; what came is kept.', why),
				);
			});
		}
	}

	#giveUp(): void {
		this.#fail(
			'stop-unanswered',
			this.#taskId === undefined
				? this.#words.t('The service never named what to stop, and may go on with this reply. What came is kept.')
				: this.#words.t('The service was asked to stop and has not ended this reply: it may go on with it. What came is kept.'),
		);
	}

	#fail(reason: string, sentence: string): void {
		this.#failure ??= new Problem(reason, sentence);
		this.#cut.abort();
	}
}
