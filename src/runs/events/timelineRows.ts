import type { TimelineRow } from './timeline.ts';

/** Executions of one node that are searched, the latest: a service may send any number. */
const mostSearched = 100;

/** Rows of a timeline, which entries of the journal each was made of, and which have changed. */
export class TimelineRows {
	readonly #rows = new Map<string, TimelineRow>();
	/** Places in the journal of what each row was made of. */
	readonly #entries = new Map<string, number[]>();
	/** IDs of the rows of each node, in the order in which they began. */
	readonly #ofNode = new Map<string | undefined, string[]>();
	/** IDs of rows that have no end yet. */
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
		return [...this.#open].flatMap(id => this.#rows.get(id) ?? []);
	}

	/** The last execution of a node, of those that fit. */
	lastOf(node: string | undefined, fits: (row: TimelineRow) => boolean = () => true): TimelineRow | undefined {
		const ids = this.#ofNode.get(node) ?? [];
		for (let at = ids.length - 1; at >= Math.max(0, ids.length - mostSearched); at--) {
			const row = this.#rows.get(ids[at] ?? '');
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
		if (row.nodeId !== undefined && !this.#rows.has(row.id)) {
			const ids = this.#ofNode.get(row.nodeId) ?? [];
			ids.push(row.id);
			this.#ofNode.set(row.nodeId, ids);
		}
		this.#rows.set(row.id, row);
		if (row.end === undefined) {
			this.#open.add(row.id);
		} else {
			this.#open.delete(row.id);
		}
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
