import type { TimelineRow } from './timeline.ts';

/** Rows of a timeline, which entries of the journal each was made of, and which have changed. */
export class TimelineRows {
	readonly #rows = new Map<string, TimelineRow>();
	/** Places in the journal of what each row was made of. */
	readonly #entries = new Map<string, number[]>();
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

	/** The last execution of a node. */
	lastOf(node: string | undefined): TimelineRow | undefined {
		return this.all().findLast(({ nodeId }) => nodeId !== undefined && nodeId === node);
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
		this.#rows.set(row.id, row);
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
		return [...ids].flatMap(id => this.#rows.get(id) ?? []);
	}
}
