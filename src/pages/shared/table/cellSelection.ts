/** A cell of a table. */
export interface CellKey {
	/** ID of its row. */
	readonly row: string;
	/** ID of its column. */
	readonly column: string;
}

/** The active column, and up to two selected cells that can be compared. */
export class CellSelection {
	/** ID of the active column, if there is one. */
	column: string | undefined;
	#chosen: readonly CellKey[] = [];

	/** The selected cells, in the order in which they were selected. */
	get chosen(): readonly CellKey[] {
		return this.#chosen;
	}

	has(cell: CellKey): boolean {
		return this.#chosen.some(each => isSameCell(each, cell));
	}

	/**
	 * Selects a cell. `one`: only this one; `pair`: the first selected cell and this one; `toggle`: adds or removes it. A third cell replaces the
	 * second one.
	 */
	select(cell: CellKey, how: 'one' | 'pair' | 'toggle'): void {
		const [first] = this.#chosen;
		if (how === 'one') {
			this.#chosen = [cell];
		} else if (how === 'toggle' && this.has(cell)) {
			this.#chosen = this.#chosen.filter(each => !isSameCell(each, cell));
		} else {
			this.#chosen = first && !isSameCell(first, cell) ? [first, cell] : [cell];
		}
	}

	/** Resets for another list. */
	clear(): void {
		this.column = undefined;
		this.#chosen = [];
	}
}

function isSameCell(one: CellKey, other: CellKey): boolean {
	return one.row === other.row && one.column === other.column;
}
