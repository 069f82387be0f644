import type { Point, Size } from '#agentFile/layout/geometry.ts';
import type { DraftEdge, DraftNode } from '../picture/graphTypes.ts';

/** A node with its size, before it is placed on its level. */
export type PlacedNode = DraftNode & Size;

/** Gaps between columns and between nodes of a column, in pixels. Branch names are on the cards, so they need no extra space. */
export const gaps = { x: 64, y: 32, named: 64 } as const;

/** A node hides another if it covers more than this share of it. */
const hiding = 0.4;
/** If more than this share of the nodes hide each other, the positions in the file are useless. */
const useless = 0.5;
/** Maximum number of nodes that are placed next to others, because each is compared with all. */
const mostFree = 100;

/**
 * Returns the positions from the file. A node without one, or at exactly the same position as another, is placed right of its source.
 * Returns `undefined` if no node has a position, too many have none, or half of them hide each other, as in files written by hand or by a
 * program.
 */
export function getFilePositions(nodes: readonly PlacedNode[], edges: readonly DraftEdge[]): ReadonlyMap<string, Point> | undefined {
	const spots = new Set<string>();
	const places = new Map<string, Point>();
	for (const { id, position } of nodes) {
		const spot = `${position?.x}/${position?.y}`;
		if (position && !spots.has(spot)) {
			spots.add(spot);
			places.set(id, position);
		}
	}
	const placed = nodes.filter(({ id }) => places.has(id));
	const isFew = placed.length <= nodes.length / 2 || nodes.length - placed.length > mostFree;
	if (nodes.length > 0 && (isFew || countHiddenNodes(placed, places) > nodes.length * useless)) {
		return undefined;
	}
	const sources = Map.groupBy(edges, ({ target }) => target);
	const boxes = new Map(nodes.map(node => [node.id, node]));
	for (const node of nodes) {
		if (!places.has(node.id)) {
			const before = (sources.get(node.id) ?? []).find(({ source }) => places.has(source))?.source;
			places.set(node.id, findFreePosition(node, before === undefined ? undefined : boxes.get(before), placed, places));
			placed.push(node);
		}
	}
	return places;
}

/** Returns a position to the right of a node, or below all nodes, and below everything that is already there. */
function findFreePosition(
	node: PlacedNode,
	before: PlacedNode | undefined,
	placed: readonly PlacedNode[],
	places: ReadonlyMap<string, Point>,
): Point {
	const from = before && places.get(before.id);
	const x = from && before ? from.x + before.width + gaps.x : Math.min(0, ...[...places.values()].map(place => place.x));
	let y = from?.y ?? placed.reduce((most, each) => Math.max(most, (places.get(each.id)?.y ?? 0) + each.height + gaps.y), 0);
	const column = placed
		.map(each => ({ ...each, ...(places.get(each.id) ?? { x: 0, y: 0 }) }))
		.filter(each => each.x < x + node.width && x < each.x + each.width)
		.sort((a, b) => a.y - b.y);
	for (const each of column) {
		if (each.y < y + node.height && y < each.y + each.height) {
			y = each.y + each.height + gaps.y;
		}
	}
	return { x, y };
}

/** Counts nodes that are mostly hidden by another. */
function countHiddenNodes(nodes: readonly PlacedNode[], places: ReadonlyMap<string, Point>): number {
	const boxes = nodes.map(node => ({ ...node, ...(places.get(node.id) ?? { x: 0, y: 0 }) })).sort((a, b) => a.x - b.x);
	const found = new Set<string>();
	for (const [at, a] of boxes.entries()) {
		for (let other = at + 1; other < boxes.length; other++) {
			const b = boxes[other];
			if (!b || b.x >= a.x + a.width) {
				break;
			}
			const across = Math.min(a.x + a.width, b.x + b.width) - b.x;
			const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
			if (down > 0 && across * down > hiding * Math.min(a.width * a.height, b.width * b.height)) {
				found.add(a.id).add(b.id);
			}
		}
	}
	return found.size;
}
