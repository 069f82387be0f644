/** Maximum number of iterations in the record of a container, and maximum characters of their values as JSON. */
const maxRounds = 1000;
const maxCharacters = 1_000_000;

/** Recorded values of a container's iterations, by index; limited to the first ones if there are many or they are large. */
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
