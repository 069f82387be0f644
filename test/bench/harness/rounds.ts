import type { InRounds, Measure, Round } from './table.ts';
import { isWithinNoise } from './verdict.ts';

/** How many times the rounds of a measure run where they lie on both sides of its limit. */
const mostTurns = 3;

/** Runs the rounds of a measure: those of its warm-up, those that count, and more where noise hides on which side of the limit it lies. */
export function roundsFor(limits: Measure['limits']): InRounds {
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
