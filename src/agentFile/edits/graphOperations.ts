import type { Path } from '../agentText.ts';
import type { Point } from '../layout/geometry.ts';
import type { TextChange } from '../writing/textChanges.ts';

/** A way out of a node: `source`, `fail-branch`, or the ID of a case, class or action (workflow DSL, "File"). */
export interface NodeExit {
	readonly node: string;
	readonly handle: string;
}

/** Where a field is. */
interface FieldOf {
	/** Absent: `path` is that of a field of the agent itself, from the top of the file ({@link agentFields}). */
	readonly node?: string | undefined;
	/** From the node's `data`. */
	readonly path: Path;
}

/** Fields of the agent itself that a form can change: what it is called, and its variables. */
export const agentFields: readonly Path[] = [
	['app', 'name'],
	['app', 'description'],
	['workflow', 'environment_variables'],
	['workflow', 'conversation_variables'],
];

/** What a gesture on the canvas, or a field of a form, does to an agent file. One operation is one step of undo. */
export type GraphOperation =
	/** A new node of a type, complete enough for the engine to load: on an edge (between its nodes), behind a way out, or alone; `parent`: the container that it lies in. */
	| {
			readonly do: 'add';
			readonly type: string;
			readonly at?: Point;
			readonly parent?: string;
			readonly behind?: NodeExit;
			/** With `behind`: the node that the edge to be split leads to. */
			readonly before?: string;
	  }
	| { readonly do: 'connect'; readonly from: NodeExit; readonly target: string }
	| { readonly do: 'disconnect'; readonly from: NodeExit; readonly target: string }
	| { readonly do: 'move'; readonly nodes: readonly ({ readonly id: string } & Point)[] }
	| { readonly do: 'duplicate'; readonly nodes: readonly string[] }
	/** Another ID; every reference follows. */
	| { readonly do: 'rename'; readonly node: string; readonly id: string }
	/** Nodes with what lies in them, and their edges. References to them stay: `referrers` names them beforehand. */
	| { readonly do: 'delete'; readonly nodes: readonly string[] }
	/** Nodes of one level put into a new iteration or loop, edges and references kept. */
	| { readonly do: 'wrap'; readonly nodes: readonly string[]; readonly container: 'iteration' | 'loop' }
	/** What `copied` gave, of this file or another one. */
	| { readonly do: 'paste'; readonly text: string; readonly at?: Point; readonly parent?: string }
	/** A field in a node's `data`; `undefined` takes it away. Where the path does not exist yet it is made. */
	| (FieldOf & { readonly do: 'set'; readonly value: unknown })
	/** An item of a list in a node's `data`: put in, taken out, put elsewhere. */
	| (FieldOf & { readonly do: 'insertItem'; readonly at: number; readonly value: unknown })
	| (FieldOf & { readonly do: 'removeItem'; readonly at: number })
	| (FieldOf & { readonly do: 'moveItem'; readonly at: number; readonly to: number })
	/** What an agent begins with, in a file that holds nothing yet. */
	| { readonly do: 'begin'; readonly mode: 'workflow' | 'advanced-chat'; readonly name: string }
	/** Writes a tidy layout as positions. */
	| { readonly do: 'arrange' };

/** The smallest changes that do an operation, with the IDs of nodes that are new; or one sentence that says why it cannot be done. */
export type EditResult = { readonly changes: readonly TextChange[]; readonly made: readonly string[] } | { readonly refused: string };
