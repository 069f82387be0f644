/** Makes names unique by adding numbers. */
export class NameList {
	readonly #used = new Set<string>();
	/** Next number for each name, so that many equal names take linear time. */
	readonly #next = new Map<string, number>();

	/** Returns the name, or the name with a number if it's used. */
	createName(name: string): string {
		let unique = name;
		for (let number = this.#next.get(name) ?? 2; this.#used.has(unique); number++) {
			unique = `${name} (${number})`;
			this.#next.set(name, number + 1);
		}
		this.#used.add(unique);
		return unique;
	}
}
