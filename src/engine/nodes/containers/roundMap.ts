/** Rounds, and characters of them as JSON, that the record of a container keeps. */
const maxRounds = 1000;
const maxCharacters = 1_000_000;

/** What the record of a container keeps of its rounds, by their index: of the first ones only, where there are very many or they are big. */
export class RoundMap {
	readonly values: Record<string, unknown> = {};
	#rounds = 0;
	#characters = 0;

	set(index: number, value: unknown): void {
		if (this.#rounds >= maxRounds || this.#characters > maxCharacters) {
			return;
		}
		this.#rounds++;
		this.#characters += JSON.stringify(value)?.length ?? 0;
		this.values[index] = value;
	}
}
