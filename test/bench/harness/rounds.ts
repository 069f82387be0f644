import type { InRounds, Measure, Round } from './table.ts';
import { isWithinNoise } from './verdict.ts';

/** Factor for the number of rounds if they are on both sides of the limit. */
const mostTurns = 3;

/** Runs the rounds of a measure: the warm-up, the counted ones, and more if noise hides which side of the limit it is on. */
export function createRounds(limits: Measure['limits']): InRounds {
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
