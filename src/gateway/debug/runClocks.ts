import type { GateLevel } from '#engine/run/gate.ts';
import type { RunScheduler } from '#engine/run/runScheduler.ts';

/** The time limits of a debugged run and of the runs that it starts as tools. They don't count the time while no node is running. */
export class RunClocks {
	readonly #schedulers = new Set<RunScheduler>();

	/** Adds the clock of the run that a level belongs to. */
	addRun({ run }: GateLevel): void {
		this.#schedulers.add(run.scheduler);
	}

	/** @param isIdle true if no node is running */
	update(isIdle: boolean): void {
		for (const scheduler of this.#schedulers) {
			if (isIdle) {
				scheduler.holdTimer();
			} else {
				scheduler.resumeTimer();
			}
		}
	}
}
