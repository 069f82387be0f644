/** A node of an agent file before it has its place. */
export interface DraftNode {
	readonly id: string;
	/** Node type of the DSL. */
	readonly kind: string;
	readonly title: string;
	/** The iteration or loop that it lies in. */
	readonly parent?: string;
	/** What the file says, in the units of its editor, from its container's corner. */
	readonly position?: { readonly x: number; readonly y: number };
}

/** A node as it is drawn. Pixels from the left top corner of the whole graph. */
export interface GraphNode extends Omit<DraftNode, 'position'> {
	/** Whether others lie in it. */
	readonly container: boolean;
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
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

/** An edge as it is drawn: its line in the words of SVG, and where its label ends. */
export interface GraphEdge extends DraftEdge {
	readonly path: string;
	readonly labelAt: { readonly x: number; readonly y: number };
}

/** The graph of an agent file, laid out. Containers stand before what lies in them. */
export interface AgentGraph {
	readonly width: number;
	readonly height: number;
	readonly nodes: readonly GraphNode[];
	readonly edges: readonly GraphEdge[];
}
