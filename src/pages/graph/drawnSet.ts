import type { Rect } from '#agentFile/layout/geometry.ts';
import type { AgentPicture, DrawnEdge, DrawnNode, DrawnNote } from './picture/graphTypes.ts';
import { holds, meets } from './viewport.ts';

/** Graphs of up to so many nodes are in the page as a whole. */
const fewNodes = 120;
/** Beyond what is in sight this much is drawn on every side, so that a pan goes a while before anything is to be drawn, in pixels of the canvas. */
const around = 400;

/** What of a picture is in the page. */
export interface DrawnSet {
	readonly nodes: readonly DrawnNode[];
	readonly edges: readonly DrawnEdge[];
	readonly notes: readonly DrawnNote[];
}

/** Chooses what of a picture is drawn: all of a small one, else what is near to what is in sight. */
export class Culling {
	#picture: AgentPicture | undefined;
	#area: Rect | undefined;
	#set: DrawnSet = { nodes: [], edges: [], notes: [] };
	#wanted: string | undefined;

	/** Whether what was chosen still serves for what is in sight now. */
	serves(picture: AgentPicture, sight: Rect, wanted: string | undefined): boolean {
		return (
			picture === this.#picture &&
			wanted === this.#wanted &&
			(picture.nodes.length <= fewNodes || (this.#area !== undefined && holds(this.#area, sight)))
		);
	}

	/** `wanted`: a node that is there in any case: the selected one, which readers are told of. */
	choose(picture: AgentPicture, sight: Rect, wanted: string | undefined): DrawnSet {
		if (this.serves(picture, sight, wanted)) {
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
			nodes: picture.nodes.filter(node => node.id === wanted || meets(node, area)),
			edges: picture.edges.filter(edge => meets(edgeBox(edge), area)),
			notes: picture.notes.filter(note => meets(note, area)),
		};
		return this.#set;
	}
}

/** What the line of an edge lies in; it swings out where it leads back. */
function edgeBox({ from, to }: DrawnEdge): Rect {
	const swing = to.x < from.x ? 160 : 0;
	const x = Math.min(from.x, to.x) - swing;
	const y = Math.min(from.y, to.y);
	return { x, y, width: Math.abs(to.x - from.x) + 2 * swing + 1, height: Math.abs(to.y - from.y) + 1 };
}
