import type { Point } from '#agentFile/layout/geometry.ts';
import { computeLayeredPositions } from '#agentFile/layout/layeredPlaces.ts';
import type { DraftEdge } from '../picture/graphTypes.ts';
import { gaps, getFilePositions, type PlacedNode } from './filePlaces.ts';

/** Positions of the nodes of a level. */
interface LevelPlaces {
	/** Positions by node ID. */
	readonly places: ReadonlyMap<string, Point>;
	/** True if the positions are from the file, false if they were computed. */
	readonly given: boolean;
}

interface Known extends LevelPlaces {
	readonly nodes: readonly PlacedNode[];
	readonly edges: readonly DraftEdge[];
}

/** Caches the positions of each level until sizes, positions in the file, or edges of the level change. */
export class KnownPlaces {
	readonly #levels = new Map<string | undefined, Known>();

	/** @param parent container of the level; absent for the top level */
	getPositions(parent: string | undefined, nodes: readonly PlacedNode[], edges: readonly DraftEdge[]): LevelPlaces {
		const known = this.#levels.get(parent);
		if (known && hasSameItems(known.nodes, nodes, isSameNode) && hasSameItems(known.edges, edges, isSameEdge)) {
			return known;
		}
		const given = getFilePositions(nodes, edges);
		const found = { nodes, edges, places: given ?? computeLayeredPositions(nodes, edges, gaps), given: given !== undefined };
		this.#levels.set(parent, found);
		return found;
	}
}

function hasSameItems<Item>(before: readonly Item[], now: readonly Item[], same: (a: Item, b: Item) => boolean): boolean {
	return before.length === now.length && before.every((item, at) => same(item, now[at] as Item));
}

/** True if everything that the layout depends on is the same. */
function isSameNode(a: PlacedNode, b: PlacedNode): boolean {
	return (
		a.id === b.id && a.width === b.width && a.height === b.height && a.position?.x === b.position?.x && a.position?.y === b.position?.y
	);
}

function isSameEdge(a: DraftEdge, b: DraftEdge): boolean {
	return a.source === b.source && a.target === b.target && a.handle === b.handle && a.label === b.label;
}
