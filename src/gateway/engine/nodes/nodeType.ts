import type * as z from 'zod';
import type { AgentNode, Selector } from '../agentTypes.ts';
import type { EngineServices, RunOptions } from '../engineTypes.ts';
import type { ContainerData } from '../runEvents.ts';
import type { VariablePool } from '../variables.ts';

/** One kind of node: what its `data` must hold, and what it does. Made by {@link nodeType}. */
export interface NodeType {
	/** `data.type` in the agent file. */
	readonly type: string;
	/** Checks and completes `data`. */
	readonly schema: z.ZodType;
	/** Only the edges of the chosen handle are taken after it. */
	readonly branches: boolean;
	/** Its inner graph is run in rounds, and it reports itself by events of its own instead of node_started and node_finished. */
	readonly container: boolean;
	/**
	 * Template that the node sends to the user while its values come in (end, answer).
	 */
	readonly template: ((settings: never) => readonly TemplatePart[]) | undefined;
	/** Variables that the node changes (assigner): text that shows one waits for it. */
	readonly assigns: ((settings: never) => readonly Selector[]) | undefined;
	readonly run: NodeRun;
}

/**
 * Runs a node once. Returns at once where nothing has to be waited for: such nodes cost no turn of the event loop.
 * @throws {NodeError} (or any error) if the node fails
 */
export type NodeRun = (context: NodeContext<never>) => NodeResult | Promise<NodeResult>;

/** Piece of a response template: text as it is, or the value of a variable. */
export type TemplatePart = { readonly text: string } | { readonly selector: Selector };

/** What a node is given to do its work. */
export interface NodeContext<Settings> {
	readonly node: AgentNode;
	readonly settings: Settings;
	readonly variables: VariablePool;
	readonly services: EngineServices;
	readonly run: RunOptions;
	/** Aborted when the run is stopped or has failed elsewhere: work in flight ends at once. */
	readonly signal: AbortSignal;
	/** What is recorded of this attempt, also if it fails. */
	readonly record: NodeDraft;
	/** Sends a piece of the text of one of the node's outputs; `last` closes it. */
	readonly stream: (variable: string, text: string, last: boolean) => void;
	/** Runs the inner graph; only for containers. */
	readonly rounds: RoundRunner;
}

/** What a node tells of itself besides its outputs. */
export interface NodeDraft {
	inputs: Record<string, unknown> | null;
	processData: Record<string, unknown> | null;
	/** `execution_metadata`: total_tokens, total_price, currency and what else the node type has. */
	metadata: Record<string, unknown>;
}

export interface NodeResult {
	readonly outputs: Record<string, unknown>;
	/** Way out that a branching node chose. */
	readonly handle?: string;
}

/** Runs the inner graph of a container. */
export interface RoundRunner {
	/** Runs it once with `variables` and waits for its end; `index` counts from 0. `signal` ends this round only. */
	run(index: number, variables: VariablePool, signal?: AbortSignal): Promise<RoundEnd>;
	/** Sends an event about the container. `kind`: "started", "next" or "completed". */
	emit(kind: 'started' | 'next' | 'completed', data: ContainerData): void;
}

/** How one level of a run ended: a round, or the agent itself. */
export interface RoundEnd {
	readonly status: 'succeeded' | 'failed' | 'stopped';
	readonly error?: Error;
	/** A loop-end node was reached. */
	readonly broke: boolean;
	/** Of all nodes of this level and inside of it. */
	readonly tokens: number;
}

/** Failure of a node. `type` is what `error_type` shows (workflow DSL, "Failure handling"). */
export class NodeError extends Error {
	override readonly name = 'NodeError';
	readonly type: string;

	constructor(message: string, type: string, options?: ErrorOptions) {
		super(message, options);
		this.type = type;
	}
}

/** Declares a node type; `settings` have the type that the schema gives. */
export function nodeType<Schema extends z.ZodType>(declaration: {
	readonly type: string;
	readonly schema: Schema;
	readonly branches?: boolean;
	readonly container?: boolean;
	readonly template?: (settings: z.output<Schema>) => readonly TemplatePart[];
	readonly assigns?: (settings: z.output<Schema>) => readonly Selector[];
	readonly run: (context: NodeContext<z.output<Schema>>) => NodeResult | Promise<NodeResult>;
}): NodeType {
	return {
		branches: false,
		container: false,
		template: undefined,
		assigns: undefined,
		...declaration,
	};
}
