import type { DebugEvent, DebugStopReason } from '#contract/debugging.ts';
import { type Branch, type Branches, isPaused, toDebugBranch } from './branches.ts';
import type { Repeats } from './repeats.ts';
import type { Steps } from './steps.ts';

/** Receives the events of a session. */
export type EmitDebugEvent = (event: DebugEvent) => void;

/** Why a run has stopped. */
export interface Stop {
	readonly reason: DebugStopReason;
	/** ID of the branch; 0 means the first paused one. */
	readonly branch: number;
	readonly breakpoints?: readonly string[];
	readonly error?: string;
}

/** Milliseconds after which a step ends without reaching a node, because the branch is waiting for other paused ones. */
const idleMs = 100;

/** Emits `debug_stopped` after all effects of a change have happened, and never twice for the same state. */
export class StopReports {
	readonly #branches: Branches;
	readonly #steps: Steps;
	readonly #repeats: Repeats;
	readonly #emit: EmitDebugEvent;
	/** Called if a step doesn't reach a node. */
	readonly #onIdleStep: () => void;
	#stop: Stop | undefined;
	/** True if the stop must be emitted even if the branches haven't changed. */
	#isDue = false;
	/** The last reported state. */
	#lastReport = '';
	#isScheduled = false;
	#isMuted = false;
	#isClosed = false;
	#idleTimer: NodeJS.Timeout | undefined;

	constructor(branches: Branches, steps: Steps, repeats: Repeats, emit: EmitDebugEvent, onIdleStep: () => void) {
		this.#branches = branches;
		this.#steps = steps;
		this.#repeats = repeats;
		this.#emit = emit;
		this.#onIdleStep = onIdleStep;
	}

	/** True if the run is stopped. */
	get isStopped(): boolean {
		return this.#stop !== undefined;
	}

	/** Sets the stop that is reported next. */
	setStop(stop: Stop): void {
		this.#stop = stop;
		this.#isDue = true;
	}

	/** Marks the run as not stopped. */
	clearStop(): void {
		this.#stop = undefined;
	}

	/** Forgets the last report because branches continue. */
	forgetReport(): void {
		this.#isDue = false;
		this.#lastReport = '';
		clearTimeout(this.#idleTimer);
	}

	/** Reports nothing until {@link unmute}, because the client looks at the past. */
	mute(): void {
		this.#isMuted = true;
		clearTimeout(this.#idleTimer);
	}

	/** Reports again. @param stop why the client is back; ignored if the run has stopped for another reason meanwhile */
	unmute(stop: Stop | undefined): void {
		this.#isMuted = false;
		if (stop && !this.#isDue) {
			this.#stop = stop;
		}
		this.#isDue = true;
		this.scheduleReport();
	}

	/** Reports the stop after everything that is happening now. */
	scheduleReport(): void {
		if (this.#stop && !this.#isScheduled) {
			this.#isScheduled = true;
			setImmediate(() => {
				this.#isScheduled = false;
				this.#sendReport();
			});
		}
	}

	/** Stops reporting. */
	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#idleTimer);
	}

	#sendReport(): void {
		clearTimeout(this.#idleTimer);
		const leaves = this.#branches.getLeafBranches();
		if (this.#isClosed || this.#isMuted || !this.#stop || leaves.length === 0) {
			return;
		}
		if (!this.#isDue && this.#steps.pending) {
			// while a step is pending, other changes are reported together with its end
			if (leaves.every(isPaused)) {
				this.#idleTimer = setTimeout(this.#onIdleStep, idleMs);
			}
			return;
		}
		if (!leaves.some(({ id }) => id === this.#stop?.branch)) {
			this.#stop = { ...this.#stop, branch: (leaves.find(isPaused) ?? (leaves[0] as Branch)).id };
		}
		const branches = leaves.map(branch => toDebugBranch(branch, this.#repeats.findRepeatableNode(branch)));
		const report = JSON.stringify([this.#stop, branches]);
		if (this.#isDue || report !== this.#lastReport) {
			this.#isDue = false;
			this.#lastReport = report;
			this.#emit({ event: 'debug_stopped', data: { ...this.#stop, branches } });
		}
	}
}
