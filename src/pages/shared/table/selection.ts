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
