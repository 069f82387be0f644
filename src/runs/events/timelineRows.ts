import type { TimelineRow } from './timeline.ts';

/** Rows of a timeline, which entries of the journal each was made of, and which have changed. */
export class TimelineRows {
	readonly #rows = new Map<string, TimelineRow>();
	/** Places in the journal of what each row was made of. */
	readonly #entries = new Map<string, number[]>();
	/** Rows of each node, in the order in which they began: events that name a node must not search all rows. */
	readonly #ofNodes = new Map<string, string[]>();
	/** Rows without an end. */
	readonly #open = new Set<string>();
	#changed = new Set<string>();
	/** Place in the journal, from 0, of what is looked at now. */
	place = -1;

	/** In the order in which they began. */
	all(): readonly TimelineRow[] {
		return [...this.#rows.values()];
	}

	get(id: string): TimelineRow | undefined {
		return this.#rows.get(id);
	}

	/** Rows that have no end yet. */
	open(): readonly TimelineRow[] {
		return this.#rowsOf([...this.#open]);
	}

	/** The last execution of a node, among those that fit. */
	lastOf(node: string | undefined, fits: (row: TimelineRow) => boolean = () => true): TimelineRow | undefined {
		const ids = node === undefined ? [] : (this.#ofNodes.get(node) ?? []);
		for (let at = ids.length - 1; at >= 0; at--) {
			const row = this.#rows.get(ids[at] as string);
			if (row && fits(row)) {
				return row;
			}
		}
		return undefined;
	}

	/** A row that came of what is looked at now. */
	add(row: TimelineRow): TimelineRow {
		this.touch(row.id);
		return this.set(row);
	}

	/** What is looked at now is of this row. */
	touch(id: string): void {
		const places = this.#entries.get(id);
		if (places) {
			places.push(this.place);
		} else {
			this.#entries.set(id, [this.place]);
		}
	}

	set(row: TimelineRow): TimelineRow {
		const { id, nodeId, end } = row;
		if (nodeId !== undefined && !this.#rows.has(id)) {
			const ofNode = this.#ofNodes.get(nodeId);
			if (ofNode) {
				ofNode.push(id);
			} else {
				this.#ofNodes.set(nodeId, [id]);
			}
		}
		if (end === undefined) {
			this.#open.add(id);
		} else {
			this.#open.delete(id);
		}
		this.#rows.set(id, row);
		this.changed(row.id);
		return row;
	}

	/** Something of a row has changed that is kept elsewhere. */
	changed(id: string): void {
		this.#changed.add(id);
	}

	/** Places in the journal, from 0, of what a row was made of. */
	entriesOf(id: string): readonly number[] {
		return this.#entries.get(id) ?? [];
	}

	/** Rows that came or changed since this was last asked. */
	takeChanges(): readonly TimelineRow[] {
		const ids = this.#changed;
		this.#changed = new Set();
		return this.#rowsOf([...ids]);
	}

	#rowsOf(ids: readonly string[]): TimelineRow[] {
		return ids.flatMap(id => this.#rows.get(id) ?? []);
	}
}
