import type { Variable } from '../agentVariables.ts';

/** `data` of a node, as the file has it. */
export type KindData = Readonly<Record<string, unknown>>;

/**
 * `start`: starts the agent. `inner-start`: starts each round of a container. `container`: nodes lie inside it. `end`: no edge leads on from it.
 */
export type NodeRole = 'start' | 'inner-start' | 'container' | 'end';

/** A line on the card of a node. */
export interface CardFact {
	/** Starts the line in bold. */
	readonly head?: string;
	readonly text: string;
}

/** Output handles of a node that takes only the edges of one of them. */
interface Branches {
	/** List in `data` with an item for each branch, and the fields of an item with its handle and its name. */
	readonly list: string;
	readonly id: string;
	readonly title: string;
	/** Handle of the only branch if there is no list. */
	readonly only?: string;
	/** Handle that is taken if no item's is. */
	readonly otherwise?: string;
	/** A person chooses the branch. If no one does in time, {@link timeoutHandle} is taken. */
	readonly byPerson?: true;
	/** Output that names the handle that was taken. */
	readonly output: string;
	/** Finds the handle that outputs mean if `output` isn't one of them. */
	readonly guess?: (outputs: KindData, handles: readonly string[], data: KindData) => string | undefined;
	/** The card's line of a branch, if not the item's title. */
	readonly row?: (data: KindData, handle: string) => CardFact;
}

/** Handle of a person's branches that is taken after the time is up. */
export const timeoutHandle = '__timeout';

/** Variables that the fields of a node name: an entry each of a list, or each key of a map if there is no `name`. */
export interface DeclaredVariables {
	/** Path in `data` of the list or map. */
	readonly at: readonly string[];
	/** Fields of an entry. Without `type`, entries aren't outputs by themselves. */
	readonly name?: string;
	readonly type?: string;
	readonly description?: string;
	/** The type is that of an input of a form. */
	readonly isInput?: true;
}

/** Inputs of the agent. */
export const inputVariables: DeclaredVariables = {
	at: ['variables'],
	name: 'variable',
	type: 'type',
	description: 'label',
	isInput: true,
};

/** All that is known of one node type apart from running it (src/engine/nodes) and its schema (`schemaWords` of the same file). */
export interface NodeKind {
	/** `data.type` in the file. */
	readonly type: string;
	/** Name of a codicon. */
	readonly icon: string;
	readonly role?: NodeRole;
	/** Lies only at the top level, or only in a loop. */
	readonly inside?: 'top' | 'loop';
	/** Field in `data` of what lies in a container, which says that it does. */
	readonly insideField?: string;
	/** Outline in flowcharts, if not a box. */
	readonly shape?: 'stadium' | 'hexagon';
	/**
	 * A new node, for completion and the graph: its title, and the lines of its `data` in the editor's snippet syntax. `¶` stands for the selector of a
	 * value, `¶.` for the same in a reference, `¤` for a model and `§` for the node's ID. Absent: such a node can't be added.
	 */
	readonly snippet?: { readonly title: string; readonly data: readonly string[] };
	readonly branches?: Branches;
	/** Outputs that every node of the type has, as `name:type`. */
	readonly outputs?: readonly string[];
	/** Outputs that depend on fields. */
	readonly moreOutputs?: (data: KindData) => readonly Variable[];
	/** There can be outputs that the file doesn't name. */
	readonly openOutputs?: true;
	readonly declares?: DeclaredVariables;
	/** Field with text that shows the node's inputs. */
	readonly formText?: string;
	/** Selectors, or prompts, whose variable has to exist: the node fails without it. Elsewhere it is read as an empty value. */
	readonly failsWithout?: 'values' | 'prompts';
	/** What matters of a node, for its card. `nameOf` says what a selector leads to. */
	readonly facts?: (data: KindData, nameOf: (selector: unknown) => string) => readonly CardFact[];
	/** Lists in `data` that make a node higher on Dify's canvas, besides those of branches. */
	readonly listed?: readonly string[];
	/** What the inspector shows from the file next to what it became in a run. */
	readonly written?: 'template' | 'program' | 'prompts';
}
