import { columnPlaces, gapY, type Place, type SizedNode } from './columnPlaces.ts';
import type { AgentGraph, DraftEdge, DraftNode, GraphEdge, GraphNode } from './graphTypes.ts';
import { layeredPlaces } from './layeredPlaces.ts';

const nodeSize = { width: 160, height: 48 };
/** The start of an iteration or loop is a dot. */
const startWidth = 24;
/** Edges leave and reach a node this far below its top: in the middle of a plain one, in the head of a container. */
const edgeY = 24;
const inset = { top: 52, side: 20, bottom: 20 };
const margin = 16;
/** Nodes whose places in the file are closer to each other than this stand in one column. */
const columnWidth = 100;
/** Nodes are drawn lower than in the file's editor, so heights of the file are `usual` times as large; where nodes fit only at over `most` times, its places are no use. */
const heights = { usual: 0.6, most: 3 };

/**
 * Gives every node its place. Level by level: in the rows and columns that the file's positions make, drawn closer together than the file has
 * them; in layers along the edges where a position is missing or two nodes lie on each other.
 */
export function layOut(drafts: readonly DraftNode[], edges: readonly DraftEdge[]): AgentGraph {
	const known = new Set(drafts.map(({ id }) => id));
	// a node whose container the file does not have stands at the top
	const placed = drafts.map(({ parent, ...node }): DraftNode => (parent !== undefined && known.has(parent) ? { ...node, parent } : node));
	const levels = Map.groupBy(placed, ({ parent }) => parent);
	const { nodes, width, height } = level(undefined, levels, edges);
	const shown = nodes.map(node => ({ ...node, x: node.x + margin, y: node.y + margin }));
	return { width: width + 2 * margin, height: height + 2 * margin, nodes: shown, edges: drawn(edges, shown) };
}

/** What lies in a container, from its corner, and the size of all of it. */
function level(
	parent: string | undefined,
	levels: ReadonlyMap<string | undefined, readonly DraftNode[]>,
	edges: readonly DraftEdge[],
): Pick<AgentGraph, 'nodes' | 'width' | 'height'> {
	const own = levels.get(parent) ?? [];
	const insides = new Map(own.filter(({ id }) => levels.has(id)).map(({ id }) => [id, level(id, levels, edges)]));
	const sized = own.map((node): SizedNode => {
		const inside = insides.get(node.id);
		if (inside) {
			const width = Math.max(nodeSize.width, inside.width + 2 * inset.side);
			return { ...node, width, height: inside.height + inset.top + inset.bottom };
		}
		const isStart = parent !== undefined && node.kind.endsWith('-start');
		return { ...node, width: isStart ? startWidth : nodeSize.width, height: nodeSize.height };
	});
	const ids = new Set(own.map(({ id }) => id));
	const inner = edges.filter(({ source }) => ids.has(source));
	const places = filePlaces(sized, inner) ?? layeredPlaces(sized, inner);
	const nodes = sized.flatMap(({ position: _, ...node }): GraphNode[] => {
		const { x, y } = places.get(node.id) ?? { x: 0, y: 0 };
		const inside = insides.get(node.id)?.nodes ?? [];
		return [
			{ ...node, container: inside.length > 0, x, y },
			...inside.map(each => ({ ...each, x: each.x + x + inset.side, y: each.y + y + inset.top })),
		];
	});
	return {
		nodes,
		width: Math.max(0, ...nodes.map(({ x, width }) => x + width)),
		height: Math.max(0, ...nodes.map(({ y, height }) => y + height)),
	};
}

/** Places as the file has them; `undefined` where it lacks one, or has two nodes on one spot. */
function filePlaces(nodes: readonly SizedNode[], edges: readonly DraftEdge[]): ReadonlyMap<string, Place> | undefined {
	const columns: SizedNode[][] = [];
	let left = Number.NEGATIVE_INFINITY;
	for (const node of nodes.toSorted((a, b) => (a.position?.x ?? 0) - (b.position?.x ?? 0))) {
		if (!node.position) {
			return undefined;
		}
		if (node.position.x - left >= columnWidth) {
			left = node.position.x;
			columns.push([]);
		}
		columns.at(-1)?.push(node);
	}
	let scale = heights.usual;
	for (const column of columns) {
		column.sort((a, b) => yOf(a) - yOf(b));
		for (const [place, node] of column.entries()) {
			const above = column[place - 1];
			scale = above ? Math.max(scale, (above.height + gapY) / (yOf(node) - yOf(above))) : scale;
		}
	}
	const top = Math.min(...nodes.map(yOf));
	return scale > heights.most ? undefined : columnPlaces(columns, edges, node => (yOf(node) - top) * scale);
}

function yOf({ position }: SizedNode): number {
	return position?.y ?? 0;
}

function drawn(edges: readonly DraftEdge[], nodes: readonly GraphNode[]): GraphEdge[] {
	const byId = new Map(nodes.map(node => [node.id, node]));
	return edges.flatMap(edge => {
		const from = byId.get(edge.source);
		const to = byId.get(edge.target);
		if (!from || !to) {
			return [];
		}
		const [startX, startY] = [from.x + from.width, from.y + edgeY];
		const [endX, endY] = [to.x, to.y + edgeY];
		const bend = Math.max(20, Math.abs(endX - startX) / 2);
		const path = `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`;
		return [{ ...edge, path, labelAt: { x: endX - 12, y: endY - 5 } }];
	});
}
