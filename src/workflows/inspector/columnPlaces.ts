import type { DraftEdge, DraftNode } from './graphTypes.ts';

/** A node with its size in pixels, to be placed among those of its level. */
export interface SizedNode extends DraftNode {
	readonly width: number;
	readonly height: number;
}

/** Left top corner of a node, in pixels from that of its level. */
export interface Place {
	readonly x: number;
	readonly y: number;
}

/** Pixels between columns, between nodes of a column, and before a column that a branch with a name leads to. */
const gapX = 40;
export const gapY = 20;
const gapOfNamed = 140;

/** Columns beside each other, each as wide as its widest node. */
export function columnPlaces(
	columns: readonly (readonly SizedNode[])[],
	edges: readonly DraftEdge[],
	yOf: (node: SizedNode) => number,
): ReadonlyMap<string, Place> {
	const named = new Set(edges.flatMap(({ target, label }) => (label === undefined ? [] : [target])));
	const places = new Map<string, Place>();
	let x = 0;
	for (const [index, column] of columns.entries()) {
		x += index === 0 ? 0 : column.some(({ id }) => named.has(id)) ? gapOfNamed : gapX;
		for (const node of column) {
			places.set(node.id, { x, y: yOf(node) });
		}
		x += Math.max(0, ...column.map(({ width }) => width));
	}
	return places;
}
