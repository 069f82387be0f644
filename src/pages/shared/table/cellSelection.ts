/** A cell of a table. */
export interface CellKey {
	/** ID of its row. */
	readonly row: string;
	/** ID of its column. */
	readonly column: string;
}

/** Makes a cell active, and changes the selection; `move` keeps it. See {@link CellSelection.select}. */
export interface CellMove {
	readonly place: number;
	readonly column: string;
	readonly how: 'one' | 'pair' | 'toggle' | 'move';
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
	select(cell: CellKey, how: Exclude<CellMove['how'], 'move'>): void {
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

/** The active cell when a key is pressed. `to`: index of the row that the key moves to, if it does. */
interface ActiveCell {
	readonly columns: readonly string[];
	readonly column: string | undefined;
	/** Index of the active row; -1 if there is none. */
	readonly place: number;
	readonly to: number | undefined;
}

/** Returns what a key does in a table whose cells are selected; `undefined` for other keys. */
export function findCellMove(
	{ key, shiftKey, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>,
	{ columns, column, place, to }: ActiveCell,
): CellMove | undefined {
	const at = columns.indexOf(column ?? '');
	const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
	if (step === undefined && to === undefined) {
		return key === ' ' && place >= 0 && at >= 0 ? { place, column: columns[at]!, how: 'toggle' } : undefined;
	}
	return {
		place: to ?? Math.max(0, place),
		column: columns[Math.max(0, Math.min(columns.length - 1, at + (step ?? 0)))]!,
		how: shiftKey ? 'pair' : ctrlKey || metaKey ? 'move' : 'one',
	};
}
