import type { TimelineRow } from './timeline.ts';
import type { TimelineHistory } from './timelineHistory.ts';

/** Maximum number of a node's executions to search, latest first, because a service may send any number. */
const mostSearched = 100;
/** Maximum number of rows. Further executions aren't stored, because a service may send any number. */
const mostRows = 100_000;
/** Maximum number of rows around a row. Rows inside more are put next to the last one, because views handle each level in a call of its own. */
const mostAround = 200;
/** Maximum number of journal entries linked to a row. */
const mostEntries = 10_000;

/** Rows of a timeline, with the journal entries that each was made from and the pending changes. */
export class TimelineRows {
	readonly #rows = new Map<string, TimelineRow>();
	/** Indexes of the journal entries of each row. */
	readonly #entries = new Map<string, number[]>();
	/** Row IDs by node, in order of their start. */
	readonly #ofNode = new Map<string | undefined, string[]>();
	/** Number of rows around each row. */
	readonly #depths = new Map<string, number>();
	/** IDs of unfinished rows. */
	readonly #open = new Set<string>();
	#changed = new Set<string>();
	readonly #history: TimelineHistory | undefined;
	/** Index of the current journal entry, from 0. */
	place = -1;

	/** `history` records each state of a row. */
	constructor(history?: TimelineHistory) {
		this.#history = history;
	}

	/** Returns all rows in order of their start. */
	getAllRows(): readonly TimelineRow[] {
		return [...this.#rows.values()];
	}

	has(id: string): boolean {
		return this.#rows.has(id);
	}

	get(id: string): TimelineRow | undefined {
		return this.#rows.get(id);
	}

	/** Returns the unfinished rows. */
	getOpenRows(): readonly TimelineRow[] {
		return [...this.#open].flatMap(id => this.#rows.get(id) ?? []);
	}

	/** Returns the last execution of a node that meets a condition. */
	findLastRow(node: string | undefined, fits: (row: TimelineRow) => boolean = () => true): TimelineRow | undefined {
		const ids = this.#ofNode.get(node) ?? [];
		for (let at = ids.length - 1; at >= Math.max(0, ids.length - mostSearched); at--) {
			const row = this.#rows.get(ids[at] ?? '');
			if (row && fits(row)) {
				return row;
			}
		}
		return undefined;
	}

	/** Adds a row for the current journal entry. */
	add(row: TimelineRow): TimelineRow {
		const added = this.has(row.id) ? row : this.#limitDepth(row);
		this.set(added);
		this.linkEntry(added.id);
		return added;
	}

	#limitDepth(row: TimelineRow): TimelineRow {
		const outer = row.parent === undefined ? undefined : this.#rows.get(row.parent);
		if (!outer || this.#rows.size >= mostRows) {
			return row;
		}
		const depth = (this.#depths.get(outer.id) ?? 0) + 1;
		this.#depths.set(row.id, Math.min(depth, mostAround));
		return depth <= mostAround || outer.parent === undefined ? row : { ...row, parent: outer.parent };
	}

	/** Links the current journal entry to a row. */
	linkEntry(id: string): void {
		const places = this.#entries.get(id);
		if (!places && this.#rows.has(id)) {
			this.#entries.set(id, [this.place]);
		} else if (places && places.length < mostEntries) {
			places.push(this.place);
		}
	}

	/** Stores a row, or its new state. Does nothing if there are too many rows. */
	set(row: TimelineRow): TimelineRow {
		if (this.#storeRow(row)) {
			this.#history?.addRow(this.place, row);
		}
		return row;
	}

	/** Stores the final state of a row after the run. It isn't part of the history, because no event reported it. */
	setFinalState(row: TimelineRow): void {
		this.#storeRow(row);
	}

	#storeRow(row: TimelineRow): boolean {
		const isNew = !this.#rows.has(row.id);
		if (isNew && this.#rows.size >= mostRows) {
			return false;
		}
		if (row.nodeId !== undefined && isNew) {
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
		this.markRowChanged(row.id);
		return true;
	}

	/** Marks a row as changed, for data stored elsewhere. */
	markRowChanged(id: string): void {
		this.#changed.add(id);
	}

	/** Returns the indexes of the journal entries, from 0, that a row was made from. */
	getEntryIndexes(id: string): readonly number[] {
		return this.#entries.get(id) ?? [];
	}

	/** Returns the rows that were added or changed since the last call. */
	takeChangedRows(): readonly TimelineRow[] {
		const ids = this.#changed;
		this.#changed = new Set();
		return [...ids].flatMap(id => this.#rows.get(id) ?? []);
	}
}
