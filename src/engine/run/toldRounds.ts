import { weightWithin } from '../variables/weight.ts';

/**
 * Nodes in rounds, and beginnings of rounds, that one run tells of; those that come after are told only where they fail. What is told is kept
 * in the store, which a loop of a million rounds would fill.
 */
const maxInRounds = 50_000;
/** Characters of values that these may have together: rounds that carry much are told of as far as a disk has room for. */
const maxCharactersInRounds = 256 * 1024 * 1024;

/** How much of a run's rounds is told of still. */
export class ToldRounds {
	#left = maxInRounds;
	#characters: number;

	/** @param characters that values of rounds may have until no more rounds are told of */
	constructor(characters = maxCharactersInRounds) {
		this.#characters = characters;
	}

	/** Counts a node, or a beginning, that is to be told. @returns false: as many have been told as may be */
	count(): boolean {
		return this.#left-- > 0;
	}

	/** Values of a round are told. */
	weigh(values: unknown): void {
		const weight = weightWithin(values, this.#characters);
		this.#characters -= weight ?? this.#characters;
		if (this.#characters <= 0) {
			this.#left = 0;
		}
	}
}
