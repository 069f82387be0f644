import type { GateLevel } from '#engine/run/gate.ts';

/** Returns the level of the debugged agent itself that contains a level, or is that level. */
export function getOutermostLevel(level: GateLevel): GateLevel {
	return level.around ? getOutermostLevel(level.around.level) : level;
}

/** Masks the secrets of the agent that a level belongs to, and of the agents that use it as a tool. */
export function maskSecrets<T>(value: T, level: GateLevel): T {
	const shown = level.run.events.redactSecrets(value);
	let outer: GateLevel | undefined = level;
	while (outer && outer.run === level.run) {
		outer = outer.around?.level;
	}
	return outer ? maskSecrets(shown, outer) : shown;
}
