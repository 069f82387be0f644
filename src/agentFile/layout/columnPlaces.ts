import type { Point, Size } from './geometry.ts';

export interface SizedNode extends Size {
	readonly id: string;
}

/** An edge between two nodes of one level. */
export interface LevelEdge {
	readonly source: string;
	readonly target: string;
	/** Name of the branch, if the edge shows it. */
	readonly label?: string;
}

/** Pixels between columns, between nodes of a column, and before a column with a named branch. */
export interface Gaps {
	readonly x: number;
	readonly y: number;
	readonly named: number;
}

/** Places columns side by side, each as wide as its widest node. */
export function computeColumnPositions<Node extends SizedNode>(
	columns: readonly (readonly Node[])[],
	edges: readonly LevelEdge[],
	gaps: Gaps,
	yOf: (node: Node) => number,
): ReadonlyMap<string, Point> {
	const named = new Set(edges.flatMap(({ target, label }) => (label === undefined ? [] : [target])));
	const places = new Map<string, Point>();
	let x = 0;
	for (const [index, column] of columns.entries()) {
		x += index === 0 ? 0 : column.some(({ id }) => named.has(id)) ? gaps.named : gaps.x;
		for (const node of column) {
			places.set(node.id, { x, y: yOf(node) });
		}
		x += column.reduce((most, { width }) => Math.max(most, width), 0);
	}
	return places;
}
