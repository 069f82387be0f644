import type { Point, Rect, Size } from '#agentFile/layout/geometry.ts';
import type { CardFact, NodeRole } from '#agentFile/nodeKinds/nodeKind.ts';

/** A line on the card of a node: what matters of it, or one of its output handles. The text of a handle that pages name themselves is empty: `fail-branch`, `__timeout`. */
export interface CardRow extends CardFact {
	/** The handle that is here, as edges name it. */
	readonly handle?: string;
}

/** Why a card is marked: `unknown`: nothing here knows its type; `idle`: no run comes to it. */
export type CardMark = 'unknown' | 'idle';

/** A node of an agent file before it has its place. */
export interface DraftNode {
	readonly id: string;
	/** Node type of the DSL. */
	readonly kind: string;
	/** Codicon of the type. */
	readonly icon: string;
	readonly role?: NodeRole;
	/** Only its rows have output handles. */
	readonly branches?: true;
	readonly title: string;
	/** The iteration or loop that it lies in. */
	readonly parent?: string;
	/** What the file says, in pixels of its canvas, from its container's corner. */
	readonly position?: Point;
	/** What the file says of a container. */
	readonly size?: Size;
	readonly rows: readonly CardRow[];
	/** What matters of a container: it stands in its head, for below it is what lies in it. */
	readonly about?: string;
	readonly marks: readonly CardMark[];
	/** What its author wrote about it. */
	readonly help?: string;
}

/** A node as it is drawn. In pixels of the file's canvas from its corner, not from that of a container. */
export interface DrawnNode extends Omit<DraftNode, 'size'>, Rect {
	/** Whether others can lie in it. */
	readonly container: boolean;
}

/** An edge between two nodes of one level. */
export interface DraftEdge {
	readonly source: string;
	readonly target: string;
	/** Way out of its source: `source`, `fail-branch`, or the ID of a case, class or action (workflow DSL, "File"). */
	readonly handle: string;
	/** Name of the branch. */
	readonly label?: string;
}

/** An edge as it is drawn. */
export interface DrawnEdge extends DraftEdge {
	readonly from: Point;
	readonly to: Point;
}

/** An edge to a node that the file does not have, or that lies on another level: a run stops there. */
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
	/** Plain. */
	readonly text: string;
	/** Dify's word for its colour: blue, cyan, green, yellow, pink, violet. */
	readonly theme: string;
}

/** The graph of an agent file, laid out. Containers stand before what lies in them. */
export interface AgentPicture extends Rect {
	readonly nodes: readonly DrawnNode[];
	readonly edges: readonly DrawnEdge[];
	readonly loose: readonly LooseEdge[];
	readonly notes: readonly DrawnNote[];
	/** Levels (containers, and '' for the top) that lie as the file says; the others were laid out here. */
	readonly placed: readonly string[];
}
