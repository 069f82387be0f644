import type * as z from 'zod';
import { findNodeKind, getNodeRole } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { AgentLogEntry } from '../agent/agentLogs.ts';
import type { AgentNode, Selector } from '../agentFile/agentTypes.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { AgentThought } from '../modelApps/agentThought.ts';
import type { EngineServices, RunOptions } from '../run/engineTypes.ts';
import type { ContainerData, ExecutionPlace } from '../run/execution.ts';
import type { FormAnswer, HumanForm } from '../run/pausedRun.ts';
import type { VariablePool } from '../variables/variables.ts';

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
type NodeRun = (context: NodeContext<never>) => NodeResult | Promise<NodeResult>;

/** Piece of a response template: text as it is, or the value of a variable. */
export type TemplatePart = { readonly text: string } | { readonly selector: Selector };

/** What a node is given to do its work. */
export interface NodeContext<Settings> {
	readonly node: AgentNode;
	readonly settings: Settings;
	readonly variables: VariablePool;
	/** Secret values of the agent, to be kept out of {@link record}. */
	readonly secrets: readonly string[];
	readonly services: EngineServices;
	readonly run: RunOptions;
	/** Aborted when the run is stopped or has failed elsewhere: work in flight ends at once. */
	readonly signal: AbortSignal;
	/** What is recorded of this attempt, also if it fails. */
	readonly record: NodeDraft;
	/** Sends a piece of the text of one of the node's outputs; `last` closes it. */
	readonly stream: (variable: string, text: string, last: boolean) => void;
	/** Sends a piece of what a model thinks apart from its text (`reasoning_chunk`); `last` closes it. */
	readonly reason: (text: string, last: boolean) => void;
	/** Tells of a round of an agent-chat app (`agent_thought`). */
	readonly thought: (thought: AgentThought) => void;
	/** Takes back the texts that the run has sent, and puts this one in their place (`text_replace`). */
	readonly replace: (text: string) => void;
	/** Says which segments of knowledge the node gives to a model (`retriever_resources`). */
	readonly cite: (citations: readonly Citation[]) => void;
	/** Tells of an agent at work (`agent_log`). */
	readonly log: (entry: AgentLogEntry) => void;
	/** Agents that the file carries, by their reference, as it has them. */
	readonly packages: Readonly<Record<string, unknown>>;
	/** The round that it runs in. */
	readonly place: ExecutionPlace;
	/** Whether the node is one of the agent itself, and not in a round. */
	readonly outermost: boolean;
	/** What became of the form that this node had asked for when the run paused. */
	readonly answer: FormAnswer | undefined;
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
	/** The node has not ended: the run pauses for an answer to this, and then starts it again. */
	readonly form?: HumanForm;
}

/** Runs the inner graph of a container. */
export interface RoundRunner {
	/** Runs it once with `variables` and waits for its end; `index` counts from 0. */
	run(index: number, variables: VariablePool): Promise<RoundEnd>;
	/** Adds the outputs of a round to those of the level around. */
	keepOutputs(outputs: Readonly<Record<string, unknown>>): void;
	/** Sends an event about the container. `kind`: "started", "next" or "completed". */
	emit(kind: 'started' | 'next' | 'completed', data: ContainerData): void;
}

/** How one level of a run ended: a round, or the agent itself. */
export interface RoundEnd {
	/** `paused`: only the agent itself, never a round. */
	readonly status: 'succeeded' | 'failed' | 'stopped' | 'paused';
	readonly error?: Error;
	/** A loop-end node was reached. */
	readonly broke: boolean;
	/** Outputs of its end and answer nodes. */
	readonly outputs: Readonly<Record<string, unknown>>;
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

/** A node refers to a variable that doesn't exist. */
export class MissingVariableError extends NodeError {
	readonly selector: Selector;

	constructor(selector: Selector, message: string, type: string) {
		super(message, type);
		this.selector = selector;
	}
}

/** Declares a node type; `settings` have the type that the schema gives. */
export function nodeType<Schema extends z.ZodType>(declaration: {
	readonly type: string;
	readonly schema: Schema;
	readonly template?: (settings: z.output<Schema>) => readonly TemplatePart[];
	readonly assigns?: (settings: z.output<Schema>) => readonly Selector[];
	readonly run: (context: NodeContext<z.output<Schema>>) => NodeResult | Promise<NodeResult>;
}): NodeType {
	return {
		branches: findNodeKind(declaration.type)?.branches !== undefined,
		container: getNodeRole(declaration.type) === 'container',
		template: undefined,
		assigns: undefined,
		...declaration,
	};
}
