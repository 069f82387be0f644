import type { RowCache, TableRow } from './rowCache.ts';

/** The rows that are selected, and the one that the keyboard is on. */
export class Selection {
	#place = -1;
	#active: string | undefined;
	readonly #ids = new Set<string>();

	/** Place of the active row; -1: none. */
	get place(): number {
		return this.#place;
	}
	/** ID of the active row, where it is known. */
	get active(): string | undefined {
		return this.#active;
	}
	get ids(): readonly string[] {
		return [...this.#ids];
	}
	has(id: string): boolean {
		return this.#ids.has(id);
	}

	/** Goes to a row; `keep`: those that were selected stay so. */
	go(place: number, rows: RowCache<TableRow>, keep: boolean): void {
		this.#place = Math.max(0, Math.min(place, rows.count - 1));
		this.#active = rows.at(this.#place)?.id;
		if (!keep) {
			this.#ids.clear();
		}
		if (this.#active !== undefined) {
			this.#ids.add(this.#active);
		}
	}

	/** Goes to a row, and selects all from the one before to it that the page has. */
	extend(place: number, rows: RowCache<TableRow>): void {
		const before = this.#place;
		this.go(place, rows, true);
		const [from, to] = before < 0 ? [this.#place, this.#place] : [Math.min(before, this.#place), Math.max(before, this.#place)];
		for (let at = from; at <= to; at++) {
			const id = rows.at(at)?.id;
			if (id !== undefined) {
				this.#ids.add(id);
			}
		}
	}

	/** Selects a row, or no longer, and goes to it. */
	toggle(place: number, rows: RowCache<TableRow>): void {
		const id = rows.at(place)?.id;
		const was = id !== undefined && this.#ids.has(id);
		this.go(place, rows, true);
		if (was) {
			this.#ids.delete(id);
		}
	}

	/** Rows came, or have other places: the active row is looked for, and one that is not known yet is taken up. */
	renew(rows: RowCache<TableRow>): void {
		if (this.#active !== undefined) {
			this.#place = rows.placeOf(this.#active) ?? Math.min(this.#place, rows.count - 1);
		} else if (this.#place >= 0) {
			this.go(this.#place, rows, true);
		}
	}

	/** Another list takes the place of this one. */
	clear(): void {
		this.#place = -1;
		this.#active = undefined;
		this.#ids.clear();
	}
}
