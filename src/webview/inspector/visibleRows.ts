import type { TimelineRow } from '../../workflows/inspector/timeline.ts';

/** A row of the timeline as it stands in the list now. */
export interface VisibleRow {
	readonly row: TimelineRow;
	/** From 1. */
	readonly level: number;
	readonly expandable: boolean;
	readonly expanded: boolean;
}

/**
 * The rows that are listed, parents before their children, which are sorted by their rounds: those below a collapsed row are left out. With a
 * query: those whose title, kind, ID or error holds it, and what they are in.
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
	const add = (row: TimelineRow, level: number): boolean => {
		const inner = children.get(row.id);
		const place = visible.length;
		const expanded = inner !== undefined && (needle !== '' || !collapsed.has(row.id));
		visible.push({ row, level, expandable: inner !== undefined, expanded });
		let found = needle === '' || matches(row, needle);
		if (expanded) {
			// stable: rows of one round stay in the order in which they began
			for (const child of inner.toSorted((a, b) => (a.round ?? 0) - (b.round ?? 0))) {
				found = add(child, level + 1) || found;
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

function matches({ title, kind, nodeId, error, status }: TimelineRow, needle: string): boolean {
	return [title, kind, nodeId, error, status].some(text => text?.toLowerCase().includes(needle));
}
