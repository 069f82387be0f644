import type { Point, Rect, Size } from '#agentFile/layout/geometry.ts';
import type { CardFact, NodeRole } from '#agentFile/nodeKinds/nodeKind.ts';

/**
 * A row on the card of a node: a fact, or an output handle. The text is empty for `fail-branch` and `__timeout`, which pages label
 * themselves.
 */
export interface CardRow extends CardFact {
	/** The output handle in this row, as edges name it. */
	readonly handle?: string;
}

/** Why a card is marked. `unknown`: the node type is unknown. `idle`: no run reaches the node. */
export type CardMark = 'unknown' | 'idle';

/** A node of an agent file before the layout. */
export interface DraftNode {
	readonly id: string;
	/** Node type of the DSL. */
	readonly kind: string;
	/** Codicon of the type. */
	readonly icon: string;
	readonly role?: NodeRole;
	/** True if output handles are only at the rows. */
	readonly branches?: true;
	readonly title: string;
	/** ID of the iteration or loop that contains the node. */
	readonly parent?: string;
	/** Position from the file in pixels of the canvas, relative to its container. */
	readonly position?: Point;
	/** Size of a container from the file. */
	readonly size?: Size;
	readonly rows: readonly CardRow[];
	/** Facts of a container. They are in its header, because its nodes are below that. */
	readonly about?: string;
	readonly marks: readonly CardMark[];
	/** The author's description of the node. */
	readonly help?: string;
}

/** A node with its position on the whole canvas, in pixels. */
export interface DrawnNode extends Omit<DraftNode, 'size'>, Rect {
	/** True if it can contain other nodes. */
	readonly container: boolean;
}

/** An edge between two nodes of one level. */
export interface DraftEdge {
	readonly source: string;
	readonly target: string;
	/** Output handle of the source node: `source`, `fail-branch`, or the ID of a case, class or action (workflow DSL, "File"). */
	readonly handle: string;
	/** Name of the branch. */
	readonly label?: string;
}

/** An edge with its end points. */
export interface DrawnEdge extends DraftEdge {
	readonly from: Point;
	readonly to: Point;
}

/** An edge to a node that doesn't exist or is on another level; a run stops there. */
export interface LooseEdge {
	readonly source: string;
	readonly target: string;
	readonly handle: string;
	readonly from: Point;
}

/** A note on the canvas. */
export interface DrawnNote extends Rect {
	readonly id: string;
	readonly parent?: string;
	/** Plain text. */
	readonly text: string;
	/** Dify's name of its color: blue, cyan, green, yellow, pink, violet. */
	readonly theme: string;
}

/** The graph of an agent file after the layout. Containers come before their nodes. */
export interface AgentPicture extends Rect {
	readonly nodes: readonly DrawnNode[];
	readonly edges: readonly DrawnEdge[];
	readonly loose: readonly LooseEdge[];
	readonly notes: readonly DrawnNote[];
	/** Levels (IDs of containers, '' for the top) with positions from the file; the others were laid out automatically. */
	readonly placed: readonly string[];
}
