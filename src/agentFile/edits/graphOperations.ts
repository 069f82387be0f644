import type { Path } from '../agentText.ts';
import type { Point } from '../layout/geometry.ts';
import type { TextChange } from '../writing/textChanges.ts';

/** An output handle of a node: `source`, `fail-branch`, or the ID of a case, class or action (workflow DSL, "File"). */
export interface NodeExit {
	readonly node: string;
	readonly handle: string;
}

interface FieldOf {
	/** ID of the node. If absent, `path` leads to a field of the agent, from the root of the file ({@link agentFields}). */
	readonly node?: string | undefined;
	/** Path relative to the node's `data`. */
	readonly path: Path;
}

/** Fields of the agent that forms can change: its name, description and variables. */
export const agentFields: readonly Path[] = [
	['app', 'name'],
	['app', 'description'],
	['workflow', 'environment_variables'],
	['workflow', 'conversation_variables'],
];

/** An edit of a field of a node or of the agent. */
export type FieldOperation =
	/** Sets a field in a node's `data`; `undefined` removes it. Creates missing parents. */
	| (FieldOf & { readonly do: 'set'; readonly value: unknown })
	/** Inserts, removes or moves an item of a list in a node's `data`. */
	| (FieldOf & { readonly do: 'insertItem'; readonly at: number; readonly value: unknown })
	| (FieldOf & { readonly do: 'removeItem'; readonly at: number })
	| (FieldOf & { readonly do: 'moveItem'; readonly at: number; readonly to: number });

/** An edit made on the canvas or in a form. One operation is one undo step. */
export type GraphOperation =
	| FieldOperation
	/** Edits several fields in one undo step. All paths and indexes refer to the file before the operation. */
	| { readonly do: 'editFields'; readonly edits: readonly FieldOperation[] }
	/**
	 * Adds a node of a type, complete enough for the engine to load: on an edge, after an output handle, or unconnected. `parent`: ID of the
	 * container.
	 */
	| {
			readonly do: 'add';
			readonly type: string;
			readonly at?: Point;
			readonly parent?: string;
			readonly behind?: NodeExit;
			/** Target of the edge to split, whose source is `behind`. */
			readonly before?: string;
	  }
	| { readonly do: 'connect'; readonly from: NodeExit; readonly target: string }
	| { readonly do: 'disconnect'; readonly from: NodeExit; readonly target: string }
	| { readonly do: 'move'; readonly nodes: readonly ({ readonly id: string } & Point)[] }
	| { readonly do: 'duplicate'; readonly nodes: readonly string[] }
	/** Changes the ID of a node and every reference to the node. */
	| { readonly do: 'rename'; readonly node: string; readonly id: string }
	/** Deletes nodes with their inner nodes and edges. References to them stay; `findReferrers` lists them beforehand. */
	| { readonly do: 'delete'; readonly nodes: readonly string[] }
	/** Moves nodes of one level into a new iteration or loop. Edges and references are kept. */
	| { readonly do: 'wrap'; readonly nodes: readonly string[]; readonly container: 'iteration' | 'loop' }
	/** Inserts the result of `copyNodes` from this or another file. */
	| { readonly do: 'paste'; readonly text: string; readonly at?: Point; readonly parent?: string }
	/** Writes a minimal agent into an empty file. */
	| { readonly do: 'begin'; readonly mode: 'workflow' | 'advanced-chat'; readonly name: string }
	/** Arranges the nodes and writes their positions. */
	| { readonly do: 'arrange' };

/** The smallest text changes for an operation and the IDs of new nodes, or the reason why it can't be done. */
export type EditResult = { readonly changes: readonly TextChange[]; readonly made: readonly string[] } | { readonly refused: string };
