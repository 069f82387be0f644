import type { Log } from './log.ts';

/** Why an idle gateway has to stay, asked when its time is up. */
export type Busy = () => boolean;

/**
 * Counts those who are attached (windows of the editor), and ends the gateway a while after the last has gone, unless it is busy (issue 4, item 6).
 */
export class Attachments {
	readonly #idleMs: number | undefined;
	readonly #busy: Busy;
	readonly #end: () => void;
	readonly #log: Log;
	#count = 0;
	#timer: NodeJS.Timeout | undefined;

	/** `idleSeconds` undefined: the gateway stays until it is told to end. */
	constructor(idleSeconds: number | undefined, busy: Busy, end: () => void, log: Log) {
		this.#idleMs = idleSeconds === undefined ? undefined : idleSeconds * 1000;
		this.#busy = busy;
		this.#end = end;
		this.#log = log;
		this.#wait();
	}

	/** One more is attached, until the returned function is called. */
	add(): () => void {
		this.#count++;
		clearTimeout(this.#timer);
		this.#log.info('attached', { attachments: this.#count });
		return () => {
			this.#count--;
			this.#log.info('detached', { attachments: this.#count });
			if (this.#count === 0) {
				this.#wait();
			}
		};
	}

	stop(): void {
		clearTimeout(this.#timer);
	}

	#wait(): void {
		if (this.#idleMs === undefined) {
			return;
		}
		this.#timer = setTimeout(() => {
			if (this.#busy()) {
				this.#wait();
			} else {
				this.#end();
			}
		}, this.#idleMs);
	}
}
