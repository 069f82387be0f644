import type { Log } from './process/log.ts';

/** Why an idle gateway has to stay, asked when its time is up. */
type Busy = () => boolean;

/**
 * Counts those who are attached (windows of the editor), and ends the gateway a while after the last has gone, unless it is busy (issue 4, item 6).
 */
export class Attachments {
	#idleMs: number | undefined;
	readonly #busy: Busy;
	readonly #end: () => void;
	readonly #log: Log;
	/** What cuts each of those who are attached. */
	readonly #cuts = new Set<() => void>();
	#timer: NodeJS.Timeout | undefined;

	/** `idleSeconds` undefined: the gateway stays until it is told to end. */
	constructor(idleSeconds: number | undefined, busy: Busy, end: () => void, log: Log) {
		this.#idleMs = idleSeconds === undefined ? undefined : idleSeconds * 1000;
		this.#busy = busy;
		this.#end = end;
		this.#log = log;
		this.#wait();
	}

	/** One more is attached, until the returned function is called; `cut` ends it from here. */
	add(cut: () => void): () => void {
		this.#cuts.add(cut);
		clearTimeout(this.#timer);
		this.#log.info('attached', { attachments: this.#cuts.size });
		return () => {
			this.#cuts.delete(cut);
			this.#log.info('detached', { attachments: this.#cuts.size });
			if (this.#cuts.size === 0) {
				this.#wait();
			}
		};
	}

	/** Has the gateway's log told to one who is attached, from now on or with its last lines, until the returned function is called. */
	followLog(follower: (lines: string) => void, recent: boolean): () => void {
		return this.#log.follow(follower, recent);
	}

	/** The gateway ends by now, so nothing is left to wait for. */
	stop(): void {
		clearTimeout(this.#timer);
		this.#idleMs = undefined;
	}

	/** Cuts all who are attached: they would stay as long as the gateway does, and it would end only with its patience. */
	cut(): void {
		for (const cut of this.#cuts) {
			cut();
		}
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
