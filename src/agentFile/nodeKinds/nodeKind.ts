import type { Variable } from '../agentVariables.ts';

/** `data` of a node in the file. */
export type KindData = Readonly<Record<string, unknown>>;

/**
 * `start`: starts the agent. `inner-start`: starts each iteration of a container. `container`: contains nodes. `end`: has no outgoing
 * edges.
 */
export type NodeRole = 'start' | 'inner-start' | 'container' | 'end';

/** A line on the card of a node. */
export interface CardFact {
	/** Bold text at the start of the line. */
	readonly head?: string;
	readonly text: string;
}

/** Output handles of a node that continues on only one of them. */
interface Branches {
	/** Path of the list in `data` with an item per branch, and the fields of an item that contain its handle and name. */
	readonly list: string;
	readonly id: string;
	readonly title: string;
	/** Handle of the only branch if there's no list. */
	readonly only?: string;
	/** Handle to use if no item matches. */
	readonly otherwise?: string;
	/** True if a person chooses the branch. After the time limit, {@link timeoutHandle} is used. */
	readonly byPerson?: true;
	/** Name of the output that contains the chosen handle. */
	readonly output: string;
	/** Finds the chosen handle if `output` is missing. */
	readonly guessHandle?: (outputs: KindData, handles: readonly string[], data: KindData) => string | undefined;
	/** Creates the card line of a branch. Default: the item's title. */
	readonly createRow?: (data: KindData, handle: string) => CardFact;
}

/** Handle used after the time limit of a person's choice. */
export const timeoutHandle = '__timeout';

/** Variables that a list or map in a node defines, one per entry. Without `name`, it's a map whose keys are the names. */
export interface DeclaredVariables {
	/** Path of the list or map in `data`. */
	readonly at: readonly string[];
	/** Names of the fields of an entry. Without `type`, entries aren't separate outputs. */
	readonly name?: string;
	readonly type?: string;
	readonly description?: string;
	/** True if the type is the type of a form input. */
	readonly isInput?: true;
}

/** The inputs of the agent. */
export const inputVariables: DeclaredVariables = {
	at: ['variables'],
	name: 'variable',
	type: 'type',
	description: 'label',
	isInput: true,
};

/** Everything about a node type except how it runs (src/engine/nodes) and its schema (`describeKind` in the same file). */
export interface NodeKind {
	/** `data.type` in the file. */
	readonly type: string;
	/** Codicon name. */
	readonly icon: string;
	readonly role?: NodeRole;
	/** Allowed only at the top level, or only in a loop. */
	readonly inside?: 'top' | 'loop';
	/** Field that marks nodes and edges as inner ones of the container, in their `data`. */
	readonly insideField?: string;
	/** Shape in flowcharts. Default: a box. */
	readonly shape?: 'stadium' | 'hexagon';
	/**
	 * A new node for completion and the graph: its title, and the lines of its `data` in the editor's snippet syntax. `¶` is replaced by the
	 * selector of a value, `¶.` by the same in a reference, `¤` by a model and `§` by the node's ID. If absent, nodes of the type can't be
	 * added.
	 */
	readonly snippet?: { readonly title: string; readonly data: readonly string[] };
	readonly branches?: Branches;
	/** Outputs of every node of the type, as `name:type`. */
	readonly outputs?: readonly string[];
	/** Returns outputs that depend on fields. */
	readonly listMoreOutputs?: (data: KindData) => readonly Variable[];
	/** True if there can be outputs that aren't in the file. */
	readonly openOutputs?: true;
	/** True if outputs contain what a service, a tool or a document says. */
	readonly isForeign?: true;
	/** Whether the node can change something outside of its run, so that it matters whether it runs again. Default: it can't. */
	readonly hasSideEffects?: (data: KindData) => boolean;
	readonly declares?: DeclaredVariables;
	/** Field whose text contains the node's inputs. */
	readonly formText?: string;
	/** Fields in which a missing variable makes the node fail. In other fields, it's an empty value. */
	readonly failsWithout?: 'values' | 'prompts';
	/** Creates the lines of a node's card. `nameOf` formats a selector. */
	readonly createFacts?: (data: KindData, nameOf: (selector: unknown) => string) => readonly CardFact[];
	/** Lists in `data` that increase the height of a node on Dify's canvas, in addition to branches. */
	readonly listed?: readonly string[];
	/** Fields of the file that the inspector shows next to the node's result. */
	readonly written?: 'template' | 'program' | 'prompts';
}
