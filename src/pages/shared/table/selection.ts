import type { RowCache, TableRow } from './rowCache.ts';

/** The selected rows and the active one. */
export class Selection {
	#place = -1;
	#active: string | undefined;
	readonly #ids = new Set<string>();

	/** Index of the active row; -1 if there is none. */
	get place(): number {
		return this.#place;
	}
	/** ID of the active row, if known. */
	get active(): string | undefined {
		return this.#active;
	}
	get ids(): readonly string[] {
		return [...this.#ids];
	}
	has(id: string): boolean {
		return this.#ids.has(id);
	}

	/** Moves to a row; `keep` keeps the selection. */
	moveToRow(place: number, rows: RowCache<TableRow>, keep: boolean): void {
		this.#place = Math.max(0, Math.min(place, rows.count - 1));
		this.#active = rows.get(this.#place)?.id;
		if (!keep) {
			this.#ids.clear();
		}
		if (this.#active !== undefined) {
			this.#ids.add(this.#active);
		}
	}

	/** Moves to a row and selects all cached rows between the previous one and it. */
	extendToRow(place: number, rows: RowCache<TableRow>): void {
		const before = this.#place;
		this.moveToRow(place, rows, true);
		const [from, to] = before < 0 ? [this.#place, this.#place] : [Math.min(before, this.#place), Math.max(before, this.#place)];
		for (let at = from; at <= to; at++) {
			const id = rows.get(at)?.id;
			if (id !== undefined) {
				this.#ids.add(id);
			}
		}
	}

	/** Moves to a row and toggles its selection. */
	toggleRow(place: number, rows: RowCache<TableRow>): void {
		const id = rows.get(place)?.id;
		const was = id !== undefined && this.#ids.has(id);
		this.moveToRow(place, rows, true);
		if (was) {
			this.#ids.delete(id);
		}
	}

	/** Applies a click: Ctrl or Cmd toggles the row, Shift selects up to it, and a menu on a selected row keeps the selection. */
	clickRow(place: number, rows: RowCache<TableRow>, { type, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
		const id = rows.get(place)?.id;
		if (type === 'contextmenu' && id !== undefined && this.#ids.has(id)) {
			this.moveToRow(place, rows, true);
		} else if (ctrlKey || metaKey) {
			this.toggleRow(place, rows);
		} else if (shiftKey) {
			this.extendToRow(place, rows);
		} else {
			this.moveToRow(place, rows, false);
		}
	}

	/** Updates the index of the active row after rows arrived or moved. */
	updateIndex(rows: RowCache<TableRow>): void {
		if (this.#active !== undefined) {
			this.#place = rows.findIndex(this.#active) ?? Math.min(this.#place, rows.count - 1);
		} else if (this.#place >= 0) {
			this.moveToRow(this.#place, rows, true);
		}
	}

	/** Resets for another list. */
	clear(): void {
		this.#place = -1;
		this.#active = undefined;
		this.#ids.clear();
	}
}

/** Returns the index of the row that a key moves to; `undefined` for other keys. `page`: number of rows of a screen. */
export function findRowMove(
	key: string,
	{ place, page, count }: { readonly place: number; readonly page: number; readonly count: number },
): number | undefined {
	const moves: Record<string, number> = {
		ArrowDown: place + 1,
		ArrowUp: Math.max(0, place - 1),
		Home: 0,
		End: count - 1,
		PageDown: Math.max(0, place) + page,
		PageUp: place - page,
	};
	return moves[key];
}
