import type { InRounds, Measure, Round } from './table.ts';
import { isWithinNoise } from './verdict.ts';

/** The rounds are run at most this many times, if their results are on both sides of the limit. */
const mostTurns = 3;

/**
 * Returns a function that runs a measure's rounds: the warm-up, the counted rounds, and more rounds if noise hides on which side of the
 * limit the result is.
 */
export function createRoundRunner(limits: Measure['limits']): InRounds {
	return async ({ warmUp, rounds }, round) => {
		for (let i = 0; i < warmUp; i++) {
			await round();
		}
		const found: Round[] = [];
		for (let turn = 0; turn < mostTurns && (turn === 0 || isWithinNoise(limits, found)); turn++) {
			for (let i = 0; i < rounds; i++) {
				found.push(await round());
			}
		}
		return { rounds: found };
	};
}
