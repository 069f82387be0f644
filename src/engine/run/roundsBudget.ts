import { getWeightWithin } from '../variables/weight.ts';

/**
 * Maximum number of nodes and iteration starts that one run reports; later ones are reported only if they fail. Events are stored, and a
 * loop with a million iterations would fill the disk.
 */
const maxInRounds = 50_000;
/** Maximum characters of all values reported in iterations, so that large values don't fill the disk either. */
const maxCharactersInRounds = 256 * 1024 * 1024;

/** Limits how much of a run's iterations is reported. */
export class RoundsBudget {
	#left = maxInRounds;
	#characters: number;

	/** @param characters maximum characters of the values in iterations */
	constructor(characters = maxCharactersInRounds) {
		this.#characters = characters;
	}

	/** Counts a node or the start of an iteration. @returns false if the limit is reached */
	countReport(): boolean {
		return this.#left-- > 0;
	}

	/** Counts the characters of an iteration's values. */
	subtractValues(values: unknown): void {
		const weight = getWeightWithin(values, this.#characters);
		this.#characters -= weight ?? this.#characters;
		if (this.#characters <= 0) {
			this.#left = 0;
		}
	}
}
