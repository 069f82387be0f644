import { card, type Point, type Size } from '#agentFile/layout/geometry.ts';
import type { AgentPicture, DraftEdge, DraftNode, DrawnEdge, DrawnNode, DrawnNote, LooseEdge } from '../picture/graphTypes.ts';
import { getCardSize, getEntryPoint, getExitPoint } from './cardSize.ts';
import type { PlacedNode } from './filePlaces.ts';
import { KnownPlaces } from './knownPlaces.ts';

/** Padding of a container, in pixels. */
const inset = { top: 60, side: 24, bottom: 24 };
/** Maximum number of levels. Deeper ones are skipped, because no agent that runs has so many. */
const deepest = 20;

/** A note with its position relative to its container. */
export type DraftNote = Omit<DrawnNote, 'x' | 'y'> & { readonly position: Point };

interface Level {
	readonly nodes: readonly DrawnNode[];
	/** Bottom right corner of all nodes. */
	readonly right: number;
	readonly bottom: number;
	readonly placed: readonly string[];
}

/** Other input of the layout. `known`: positions from the previous layout. */
interface NeighborLayout {
	readonly loose: readonly Omit<LooseEdge, 'from'>[];
	readonly notes: readonly DraftNote[];
	readonly known?: KnownPlaces;
}

/**
 * Places all nodes, level by level: at their positions in the file, or in layers along the edges if the file has no usable ones
 * (filePlaces.ts). A container is at least as large as its content.
 */
export function layOutGraph(
	drafts: readonly DraftNode[],
	edges: readonly DraftEdge[],
	{ loose, notes, known: knownPlaces = new KnownPlaces() }: NeighborLayout,
): AgentPicture {
	const known = new Set(drafts.map(({ id }) => id));
	// a node whose container doesn't exist moves to the top level
	const nodes = drafts.map((draft): DraftNode => {
		const { parent, ...node } = draft;
		return parent === undefined || known.has(parent) ? draft : node;
	});
	const levels = Map.groupBy(nodes, ({ parent }) => parent);
	const parents = new Map(nodes.map(node => [node.id, node.parent]));
	const inner = Map.groupBy(edges, ({ source }) => parents.get(source));
	const { nodes: drawn, placed } = layOutLevel(undefined, { levels, inner, places: knownPlaces }, 0);
	const byId = new Map(drawn.map(node => [node.id, node]));
	const shownNotes = notes.map(({ position, parent, ...note }): DrawnNote => {
		const around = parent === undefined ? undefined : byId.get(parent);
		return { ...note, x: position.x + (around?.x ?? 0), y: position.y + (around?.y ?? 0), ...(around ? { parent: around.id } : {}) };
	});
	const all = [...drawn, ...shownNotes];
	const x = all.length === 0 ? 0 : all.reduce((least, each) => Math.min(least, each.x), Number.POSITIVE_INFINITY);
	const y = all.length === 0 ? 0 : all.reduce((least, each) => Math.min(least, each.y), Number.POSITIVE_INFINITY);
	return {
		x,
		y,
		width: all.reduce((most, each) => Math.max(most, each.x + each.width), x) - x,
		height: all.reduce((most, each) => Math.max(most, each.y + each.height), y) - y,
		nodes: drawn,
		edges: edges.flatMap(edge => placeEdge(edge, byId)),
		loose: loose.flatMap(edge => {
			const from = byId.get(edge.source);
			return from ? [{ ...edge, from: getExitPoint(from, edge.handle) }] : [];
		}),
		notes: shownNotes,
		placed,
	};
}

interface Levels {
	readonly levels: ReadonlyMap<string | undefined, readonly DraftNode[]>;
	readonly inner: ReadonlyMap<string | undefined, readonly DraftEdge[]>;
	readonly places: KnownPlaces;
}

/** Lays out the content of a container, relative to its corner. */
function layOutLevel(parent: string | undefined, all: Levels, depth: number): Level {
	const own = all.levels.get(parent) ?? [];
	const insides = new Map(
		own.filter(({ id }) => depth < deepest && all.levels.has(id)).map(({ id }) => [id, layOutLevel(id, all, depth + 1)]),
	);
	const sized = own.map((node): PlacedNode => ({ ...node, ...computeNodeSize(node, insides.get(node.id)) }));
	const edges = all.inner.get(parent) ?? [];
	const corner = parent === undefined ? { x: 0, y: 0 } : { x: inset.side, y: inset.top };
	const { places, given } = all.places.getPositions(parent, sized, edges);
	const [right, down] = given ? [0, 0] : [corner.x, corner.y];
	const nodes = sized.flatMap(({ size: _, position, ...node }): DrawnNode[] => {
		const { x = 0, y = 0 } = places.get(node.id) ?? {};
		const inside = insides.get(node.id)?.nodes ?? [];
		const drawn = { ...node, ...(given && position ? { position } : {}), container: isContainer(node), x: x + right, y: y + down };
		return [drawn, ...inside.map(each => ({ ...each, x: each.x + drawn.x, y: each.y + drawn.y }))];
	});
	return {
		nodes,
		right: nodes.reduce((most, { x, width }) => Math.max(most, x + width), 0),
		bottom: nodes.reduce((most, { y, height }) => Math.max(most, y + height), 0),
		placed: [...(given ? [parent ?? ''] : []), ...[...insides.values()].flatMap(({ placed }) => placed)],
	};
}

function computeNodeSize(node: DraftNode, inside: Level | undefined): Size {
	const own = getCardSize(node);
	if (!isContainer(node) && !inside) {
		return own;
	}
	return {
		width: Math.max(card.width, node.size?.width ?? 0, (inside?.right ?? 0) + inset.side),
		height: Math.max(own.height + card.head, node.size?.height ?? 0, (inside?.bottom ?? 0) + inset.bottom),
	};
}

function isContainer({ role }: DraftNode): boolean {
	return role === 'container';
}

function placeEdge(edge: DraftEdge, byId: ReadonlyMap<string, DrawnNode>): DrawnEdge[] {
	const from = byId.get(edge.source);
	const to = byId.get(edge.target);
	return from && to ? [{ ...edge, from: getExitPoint(from, edge.handle), to: getEntryPoint(to) }] : [];
}
