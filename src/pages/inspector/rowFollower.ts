import type { TimelineRow } from '#runs/events/timeline.ts';

/**
 * Selects the row of interest until the user selects one: during a run the node that runs, at its end a failed one. After a run again, it
 * stays at the node that was shown before.
 */
export class RowFollower {
	readonly #select: (id: string) => void;
	#isFollowing = true;
	#isSelecting = false;
	#before: string | undefined;
	#shown: string | undefined;

	constructor(select: (id: string) => void) {
		this.#select = select;
	}

	/** Starts with a run. `before`: ID of the node that was shown of the previous run. */
	startRun(before: string | undefined): void {
		this.#isFollowing = true;
		this.#before = before;
		this.#shown = undefined;
	}

	/** Stops following if the selection was made by the user. */
	onSelected(): void {
		this.#isFollowing &&= this.#isSelecting;
	}

	/** Follows the moments of the run from here on: selects the row that each changed, until the user selects one. */
	startMoments(): void {
		this.#isFollowing = true;
	}

	followMoment(row: string | undefined): void {
		if (this.#isFollowing && row !== undefined) {
			this.#selectRow(row);
		}
	}

	followRows(rows: readonly TimelineRow[], isLive: boolean): void {
		const id = this.#isFollowing ? findRowToShow(rows, isLive, this.#before)?.id : undefined;
		if (id !== undefined && id !== this.#shown) {
			this.#selectRow(id);
		}
	}

	#selectRow(id: string): void {
		this.#shown = id;
		this.#isSelecting = true;
		this.#select(id);
		this.#isSelecting = false;
	}
}

/**
 * Finds the row to select: a failed one, otherwise the node that was shown `before`, otherwise the last one that runs, and in a finished run
 * the last one on the critical path.
 */
function findRowToShow(rows: readonly TimelineRow[], isLive: boolean, before: string | undefined): TimelineRow | undefined {
	return (
		rows.find(({ status }) => status === 'failed') ??
		rows.find(({ nodeId }) => nodeId !== undefined && nodeId === before) ??
		(isLive
			? (rows.findLast(({ status }) => status === 'running') ?? rows.at(-1))
			: (rows.findLast(({ critical, parent }) => critical && parent === undefined) ?? rows[0]))
	);
}
