import type { TimelineRow } from '#runs/events/timeline.ts';

/** A row of the timeline in its current state. */
export interface VisibleRow {
	readonly row: TimelineRow;
	/** Nesting level, from 1. */
	readonly level: number;
	readonly expandable: boolean;
	readonly expanded: boolean;
	/** For an iteration row: number of nodes in it. */
	readonly nodes?: number;
	/** True if the row is listed under an iteration row. */
	readonly inIteration?: boolean;
	/** True for the longest iteration of its container. */
	readonly slowest?: boolean;
}

/** Kind of rows that group one iteration of a container. */
export const iterationKind = 'round';

/**
 * Returns the listed rows, parents before children, without those under a collapsed row. Children of a container are grouped by iteration
 * if it has several iterations of several nodes. With a query: the rows whose title, kind, ID, status or error contains it, and their
 * parents.
 */
export function listVisibleRows(rows: Iterable<TimelineRow>, collapsed: ReadonlySet<string>, query: string): VisibleRow[] {
	const children = new Map<string | undefined, TimelineRow[]>();
	for (const row of rows) {
		const siblings = children.get(row.parent);
		if (siblings) {
			siblings.push(row);
		} else {
			children.set(row.parent, [row]);
		}
	}
	const visible: VisibleRow[] = [];
	const needle = query.trim().toLowerCase();
	const addRow = (
		row: TimelineRow,
		level: number,
		inner = children.get(row.id),
		more: Pick<VisibleRow, 'nodes' | 'slowest' | 'inIteration'> = {},
	): boolean => {
		const place = visible.length;
		const expanded = inner !== undefined && (needle !== '' || !collapsed.has(row.id));
		visible.push({ row, level, expandable: inner !== undefined, expanded, ...more });
		let found = needle === '' || (row.kind !== iterationKind && matchesQuery(row, needle));
		if (expanded) {
			const rounds = row.kind === iterationKind ? undefined : groupIterations(row, inner);
			for (const { round, rows, slowest } of rounds ?? []) {
				found = addRow(round, level + 1, rows, { nodes: rows.length, slowest }) || found;
			}
			// the sort is stable: rows of one iteration stay in the order in which they started
			for (const child of rounds ? [] : inner.toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0))) {
				found = addRow(child, level + 1, children.get(child.id), row.kind === iterationKind ? { inIteration: true } : {}) || found;
			}
		}
		if (!found) {
			visible.length = place;
		}
		return found;
	};
	for (const row of children.get(undefined) ?? []) {
		addRow(row, 1);
	}
	return visible;
}

/** Groups the rows of a container by iteration; undefined if there is only one iteration or each has just one row. */
function groupIterations(
	{ id }: TimelineRow,
	inner: readonly TimelineRow[],
): { readonly round: TimelineRow; readonly rows: TimelineRow[]; readonly slowest: boolean }[] | undefined {
	const byRound = new Map<number, TimelineRow[]>();
	for (const row of inner) {
		if (row.round === undefined) {
			return undefined;
		}
		const rows = byRound.get(row.round);
		if (rows) {
			rows.push(row);
		} else {
			byRound.set(row.round, [row]);
		}
	}
	if (byRound.size < 2 || byRound.size === inner.length) {
		return undefined;
	}
	const rounds = [...byRound].toSorted(([a], [b]) => a - b).map(([round, rows]) => ({ round: createIterationRow(id, round, rows), rows }));
	const getRowDuration = ({ start, end }: TimelineRow) => (end === undefined ? -1 : end - start);
	const longest = rounds.reduce((most, { round }) => Math.max(most, getRowDuration(round)), 0);
	const slow = rounds.filter(({ round }) => getRowDuration(round) === longest);
	return rounds.map(each => ({ ...each, slowest: slow.length === 1 && slow[0] === each }));
}

/** Creates the row of an iteration, which spans the iteration's rows and has their worst status. */
function createIterationRow(parent: string, round: number, rows: readonly TimelineRow[]): TimelineRow {
	const isOver = rows.every(({ end }) => end !== undefined);
	const worst = ['failed', 'running', 'paused', 'unfinished', 'exception'].find(each => rows.some(({ status }) => status === each));
	return {
		id: `${parent}/${iterationKind}-${round}`,
		parent,
		round,
		kind: iterationKind,
		title: '',
		status: worst ?? 'succeeded',
		start: rows.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
		...(isOver ? { end: rows.reduce((most, { start, end = start }) => Math.max(most, end), 0) } : {}),
		...(rows.some(({ critical }) => critical) ? { critical: true } : {}),
	};
}

function matchesQuery({ title, kind, nodeId, error, status }: TimelineRow, needle: string): boolean {
	return [title, kind, nodeId, error, status].some(text => text?.toLowerCase().includes(needle));
}
