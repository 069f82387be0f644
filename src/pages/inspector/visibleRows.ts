import type { TimelineRow } from '#runs/events/timeline.ts';

/** A row of the timeline as it stands in the list now. */
export interface VisibleRow {
	readonly row: TimelineRow;
	/** From 1. */
	readonly level: number;
	readonly expandable: boolean;
	readonly expanded: boolean;
	/** Of a round, which stands for the rows in it: how many nodes it has. */
	readonly nodes?: number;
	/** It stands in the row of its round. */
	readonly inRound?: boolean;
	/** A round that took longest of those beside it. */
	readonly slowest?: boolean;
}

/** Kind of the rows that stand for a round of a container. */
export const roundKind = 'round';

/**
 * The rows that are listed, parents before their children, which stand in their rounds where a container has several of several nodes: those below a
 * collapsed row are left out. With a query: those whose title, kind, ID or error holds it, and what they are in.
 */
export function visibleRows(rows: Iterable<TimelineRow>, collapsed: ReadonlySet<string>, query: string): VisibleRow[] {
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
	const add = (
		row: TimelineRow,
		level: number,
		inner = children.get(row.id),
		more: Pick<VisibleRow, 'nodes' | 'slowest' | 'inRound'> = {},
	): boolean => {
		const place = visible.length;
		const expanded = inner !== undefined && (needle !== '' || !collapsed.has(row.id));
		visible.push({ row, level, expandable: inner !== undefined, expanded, ...more });
		let found = needle === '' || (row.kind !== roundKind && matches(row, needle));
		if (expanded) {
			const rounds = row.kind === roundKind ? undefined : roundsIn(row, inner);
			for (const { round, rows, slowest } of rounds ?? []) {
				found = add(round, level + 1, rows, { nodes: rows.length, slowest }) || found;
			}
			// stable: rows of one round stay in the order in which they began
			for (const child of rounds ? [] : inner.toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0))) {
				found = add(child, level + 1, children.get(child.id), row.kind === roundKind ? { inRound: true } : {}) || found;
			}
		}
		if (!found) {
			visible.length = place;
		}
		return found;
	};
	for (const row of children.get(undefined) ?? []) {
		add(row, 1);
	}
	return visible;
}

/** The rounds of a container, in their order; `undefined` where a row for each would only repeat what is in it. */
function roundsIn(
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
	const rounds = [...byRound].toSorted(([a], [b]) => a - b).map(([round, rows]) => ({ round: roundOf(id, round, rows), rows }));
	const took = ({ start, end }: TimelineRow) => (end === undefined ? -1 : end - start);
	const longest = rounds.reduce((most, { round }) => Math.max(most, took(round)), 0);
	const slow = rounds.filter(({ round }) => took(round) === longest);
	return rounds.map(each => ({ ...each, slowest: slow.length === 1 && slow[0] === each }));
}

/** A row that stands for a round: as long as what is in it, and as that fared. */
function roundOf(parent: string, round: number, rows: readonly TimelineRow[]): TimelineRow {
	const isOver = rows.every(({ end }) => end !== undefined);
	const worst = ['failed', 'running', 'paused', 'unfinished', 'exception'].find(each => rows.some(({ status }) => status === each));
	return {
		id: `${parent}/${roundKind}-${round}`,
		parent,
		round,
		kind: roundKind,
		title: '',
		status: worst ?? 'succeeded',
		start: rows.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
		...(isOver ? { end: rows.reduce((most, { start, end = start }) => Math.max(most, end), 0) } : {}),
		...(rows.some(({ critical }) => critical) ? { critical: true } : {}),
	};
}

function matches({ title, kind, nodeId, error, status }: TimelineRow, needle: string): boolean {
	return [title, kind, nodeId, error, status].some(text => text?.toLowerCase().includes(needle));
}
