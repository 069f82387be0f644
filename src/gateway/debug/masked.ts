import type { GateLevel } from '#engine/run/gate.ts';

/** The level of the debugged agent itself that a level is inside of, or is. */
export function outermostOf(level: GateLevel): GateLevel {
	return level.around ? outermostOf(level.around.level) : level;
}

/** A value without the secrets of the agent that a level is of, and without those of the agents that use it as a tool. */
export function masked<T>(value: T, level: GateLevel): T {
	const shown = level.run.events.shown(value);
	let outer: GateLevel | undefined = level;
	while (outer && outer.run === level.run) {
		outer = outer.around?.level;
	}
	return outer ? masked(shown, outer) : shown;
}
