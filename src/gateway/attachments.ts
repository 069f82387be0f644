import type { Log } from './process/log.ts';

/** True if the gateway has to keep running although no client is attached. */
type Busy = () => boolean;

/** Counts attached clients (windows of the editor). Stops the gateway some time after the last one has detached, unless it's busy. */
export class Attachments {
	#idleMs: number | undefined;
	readonly #busy: Busy;
	readonly #end: () => void;
	readonly #log: Log;
	/** Functions that disconnect each attached client. */
	readonly #cuts = new Set<() => void>();
	readonly #counters = new Set<(count: number) => void>();
	#timer: NodeJS.Timeout | undefined;

	/** @param idleSeconds undefined if the gateway runs until it's asked to stop */
	constructor(idleSeconds: number | undefined, busy: Busy, end: () => void, log: Log) {
		this.#idleMs = idleSeconds === undefined ? undefined : idleSeconds * 1000;
		this.#busy = busy;
		this.#end = end;
		this.#log = log;
		this.#startTimer();
	}

	/** Attaches a client until the returned function is called; `cut` disconnects it. */
	add(cut: () => void): () => void {
		this.#cuts.add(cut);
		clearTimeout(this.#timer);
		this.#log.info('Client attached', { attachments: this.#cuts.size });
		this.#reportCount();
		return () => {
			this.#cuts.delete(cut);
			this.#log.info('Client detached', { attachments: this.#cuts.size });
			this.#reportCount();
			if (this.#cuts.size === 0) {
				this.#startTimer();
			}
		};
	}

	/** Calls back with the number of attached clients, now and after each change, until the returned function is called. */
	followCount(follower: (count: number) => void): () => void {
		this.#counters.add(follower);
		follower(this.#cuts.size);
		return () => this.#counters.delete(follower);
	}

	/** Sends the gateway's log to a client, optionally starting with the last lines, until the returned function is called. */
	followLog(follower: (lines: string) => void, recent: boolean): () => void {
		return this.#log.followLines(follower, recent);
	}

	/** Stops waiting for clients, because the gateway is already stopping. */
	stop(): void {
		clearTimeout(this.#timer);
		this.#idleMs = undefined;
	}

	/** Disconnects all clients, which would otherwise stay attached and delay stopping until the grace period ends. */
	disconnectAll(): void {
		for (const cut of this.#cuts) {
			cut();
		}
	}

	#reportCount(): void {
		for (const follower of this.#counters) {
			follower(this.#cuts.size);
		}
	}

	#startTimer(): void {
		if (this.#idleMs === undefined) {
			return;
		}
		this.#timer = setTimeout(() => {
			if (this.#busy()) {
				this.#startTimer();
			} else {
				this.#end();
			}
		}, this.#idleMs);
	}
}
