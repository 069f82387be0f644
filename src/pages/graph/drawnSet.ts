import type { Rect } from '#agentFile/layout/geometry.ts';
import type { AgentPicture, DrawnEdge, DrawnNode, DrawnNote } from './picture/graphTypes.ts';
import { containsRect, isOverlapping } from './viewport.ts';

/** Graphs of up to this many nodes are rendered completely. */
const fewNodes = 120;
/** Margin around the visible area that is rendered too, so that short pans need no rendering. In pixels of the canvas. */
const around = 400;

/** The part of a picture that is rendered. */
export interface DrawnSet {
	readonly nodes: readonly DrawnNode[];
	readonly edges: readonly DrawnEdge[];
	readonly notes: readonly DrawnNote[];
}

/** Chooses the part of a picture to render: the whole picture if it's small, otherwise what is near the visible area. */
export class Culling {
	#picture: AgentPicture | undefined;
	#area: Rect | undefined;
	#set: DrawnSet = { nodes: [], edges: [], notes: [] };
	#wanted: string | undefined;

	/** True if the last choice still covers the visible area. */
	canReuseChoice(picture: AgentPicture, sight: Rect, wanted: string | undefined): boolean {
		return (
			picture === this.#picture &&
			wanted === this.#wanted &&
			(picture.nodes.length <= fewNodes || (this.#area !== undefined && containsRect(this.#area, sight)))
		);
	}

	/**
	 * Chooses the nodes and edges to render. `wanted`: the selected node, which is always rendered because `aria-activedescendant` names it.
	 */
	chooseDrawnSet(picture: AgentPicture, sight: Rect, wanted: string | undefined): DrawnSet {
		if (this.canReuseChoice(picture, sight, wanted)) {
			return this.#set;
		}
		this.#picture = picture;
		this.#wanted = wanted;
		if (picture.nodes.length <= fewNodes) {
			this.#area = undefined;
			this.#set = picture;
			return picture;
		}
		const area = { x: sight.x - around, y: sight.y - around, width: sight.width + 2 * around, height: sight.height + 2 * around };
		this.#area = area;
		this.#set = {
			nodes: picture.nodes.filter(node => node.id === wanted || isOverlapping(node, area)),
			edges: picture.edges.filter(edge => isOverlapping(getEdgeBox(edge), area)),
			notes: picture.notes.filter(note => isOverlapping(note, area)),
		};
		return this.#set;
	}
}

/** Returns the bounding box of an edge's line. Edges that lead backward swing out to both sides. */
function getEdgeBox({ from, to }: DrawnEdge): Rect {
	const swing = to.x < from.x ? 160 : 0;
	const x = Math.min(from.x, to.x) - swing;
	const y = Math.min(from.y, to.y);
	return { x, y, width: Math.abs(to.x - from.x) + 2 * swing + 1, height: Math.abs(to.y - from.y) + 1 };
}
