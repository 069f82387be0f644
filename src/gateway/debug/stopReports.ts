import type { DebugEvent, DebugStopReason } from '#contract/debugging.ts';
import { type Branch, type Branches, shownBranch, stands } from './branches.ts';
import type { Repeats } from './repeats.ts';
import type { Steps } from './steps.ts';

/** Receives the events of a session. */
export type EmitDebugEvent = (event: DebugEvent) => void;

/** Why a run has stopped. */
export interface Stop {
	readonly reason: DebugStopReason;
	/** Number of the branch; 0: the first that is paused. */
	readonly branch: number;
	readonly breakpoints?: readonly string[];
	readonly error?: string;
}

/** Milliseconds after which a step ends though no node was reached: the branch waits for others that are paused. */
const idleMs = 100;

/** Emits `debug_stopped` once all that follows from a change has happened, and not twice for the same state. */
export class StopReports {
	readonly #branches: Branches;
	readonly #steps: Steps;
	readonly #repeats: Repeats;
	readonly #emit: EmitDebugEvent;
	/** Called if a step can't reach a node. */
	readonly #onIdleStep: () => void;
	#stop: Stop | undefined;
	/** Whether the stop is emitted even if the branches look as they did. */
	#isDue = false;
	/** The last reported state. */
	#lastReport = '';
	#isScheduled = false;
	#isClosed = false;
	#idleTimer: NodeJS.Timeout | undefined;

	constructor(branches: Branches, steps: Steps, repeats: Repeats, emit: EmitDebugEvent, onIdleStep: () => void) {
		this.#branches = branches;
		this.#steps = steps;
		this.#repeats = repeats;
		this.#emit = emit;
		this.#onIdleStep = onIdleStep;
	}

	/** Whether the run is stopped. */
	get isStopped(): boolean {
		return this.#stop !== undefined;
	}

	/** Sets the stop to report next. */
	setStop(stop: Stop): void {
		this.#stop = stop;
		this.#isDue = true;
	}

	/** The run isn't stopped any more. */
	clearStop(): void {
		this.#stop = undefined;
	}

	/** Forgets what was reported: branches continue. */
	reset(): void {
		this.#isDue = false;
		this.#lastReport = '';
		clearTimeout(this.#idleTimer);
	}

	/** Reports after all that happens now has happened. */
	schedule(): void {
		if (this.#stop && !this.#isScheduled) {
			this.#isScheduled = true;
			setImmediate(() => {
				this.#isScheduled = false;
				this.#report();
			});
		}
	}

	/** Reports nothing from now on. */
	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#idleTimer);
	}

	#report(): void {
		clearTimeout(this.#idleTimer);
		const leaves = this.#branches.leaves();
		if (this.#isClosed || !this.#stop || leaves.length === 0) {
			return;
		}
		if (!this.#isDue && this.#steps.pending) {
			// other nodes that have ended are reported with the step
			if (leaves.every(stands)) {
				this.#idleTimer = setTimeout(this.#onIdleStep, idleMs);
			}
			return;
		}
		if (!leaves.some(({ id }) => id === this.#stop?.branch)) {
			this.#stop = { ...this.#stop, branch: (leaves.find(stands) ?? (leaves[0] as Branch)).id };
		}
		const branches = leaves.map(branch => shownBranch(branch, this.#repeats.nodeFor(branch)));
		const report = JSON.stringify([this.#stop, branches]);
		if (this.#isDue || report !== this.#lastReport) {
			this.#isDue = false;
			this.#lastReport = report;
			this.#emit({ event: 'debug_stopped', data: { ...this.#stop, branches } });
		}
	}
}
