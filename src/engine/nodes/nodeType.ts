import type * as z from 'zod';
import { findNodeKind, getNodeRole } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { AgentLogEntry } from '../agent/agentLogs.ts';
import type { AgentNode, Selector } from '../agentFile/agentTypes.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { AgentThought } from '../modelApps/agentThought.ts';
import type { EngineServices, RunOptions } from '../run/engineTypes.ts';
import type { ContainerData, ExecutionPlace } from '../run/execution.ts';
import type { EnclosingNode } from '../run/gate.ts';
import type { FormAnswer, HumanForm } from '../run/pausedRun.ts';
import type { VariablePool } from '../variables/variables.ts';

/** A node type: the schema of its `data`, and its behavior. Created by {@link defineNodeType}. */
export interface NodeType {
	/** `data.type` in the agent file. */
	readonly type: string;
	/** Schema that checks and completes `data`. */
	readonly schema: z.ZodType;
	/** True if the node takes only the edges of the handle that it chooses. */
	readonly branches: boolean;
	/** True if the node runs an inner graph and sends its own events instead of node_started and node_finished. */
	readonly container: boolean;
	/** Template that the node streams to the user as its values arrive (end, answer). */
	readonly template: ((settings: never) => readonly TemplatePart[]) | undefined;
	/** Variables that the node changes (assigner). Text that shows one of them waits for the node. */
	readonly assigns: ((settings: never) => readonly Selector[]) | undefined;
	readonly run: NodeRun;
}

/**
 * Runs a node once. Returns synchronously if there is nothing to wait for: such nodes cost no turn of the event loop.
 * @throws {NodeError} (or any error) if the node fails
 */
type NodeRun = (context: NodeContext<never>) => NodeResult | Promise<NodeResult>;

/** Part of a response template: literal text, or the value of a variable. */
export type TemplatePart = { readonly text: string } | { readonly selector: Selector };

/** Everything that a node needs to run. */
export interface NodeContext<Settings> {
	readonly node: AgentNode;
	readonly settings: Settings;
	readonly variables: VariablePool;
	/** Secret values of the agent, which must not appear in {@link record}. */
	readonly secrets: readonly string[];
	readonly services: EngineServices;
	readonly run: RunOptions;
	/** Aborted when the run is stopped or has failed elsewhere. In-flight work must end immediately. */
	readonly signal: AbortSignal;
	/** Data recorded for this attempt, even if it fails. */
	readonly record: NodeDraft;
	/** Sends a chunk of the text of one of the node's outputs; `last` marks the final chunk. */
	readonly stream: (variable: string, text: string, last: boolean) => void;
	/** Sends a chunk of a model's reasoning that is separate from its text (`reasoning_chunk`); `last` marks the final chunk. */
	readonly streamReasoning: (text: string, last: boolean) => void;
	/** Reports a round of an agent-chat app (`agent_thought`). */
	readonly reportThought: (thought: AgentThought) => void;
	/** Replaces all text that the run has sent (`text_replace`). */
	readonly replace: (text: string) => void;
	/** Reports knowledge segments that the node gives to a model (`retriever_resources`). */
	readonly addCitations: (citations: readonly Citation[]) => void;
	/** Reports an entry of an agent's log (`agent_log`). */
	readonly log: (entry: AgentLogEntry) => void;
	/** Agents included in the file by reference, as written. */
	readonly packages: Readonly<Record<string, unknown>>;
	/** The iteration that the node runs in, if any. */
	readonly place: ExecutionPlace;
	/** The node that runs the level of this node; absent for a node that nothing encloses. */
	readonly around: EnclosingNode | undefined;
	/** True if the node isn't inside a container. */
	readonly outermost: boolean;
	/** Response to the form that this node requested when the run paused. */
	readonly answer: FormAnswer | undefined;
	/** Runs the inner graph of a container. */
	readonly rounds: RoundRunner;
}

/** Data that a node reports besides its outputs. */
export interface NodeDraft {
	inputs: Record<string, unknown> | null;
	processData: Record<string, unknown> | null;
	/** `execution_metadata`: total_tokens, total_price, currency and fields of the node type. */
	metadata: Record<string, unknown>;
	/** True if a recording answered a call of the node. */
	replayed?: boolean;
	/** Price of these replies, which weren't paid again. */
	savedPrice?: number;
	/** True if a person answered a model call of the node. */
	answered?: boolean;
	/** True if the node of an attacked run failed for a reason that has nothing to do with the attack. */
	untested?: boolean;
}

export interface NodeResult {
	readonly outputs: Record<string, unknown>;
	/** Output handle that a branching node chose. */
	readonly handle?: string;
	/** The form to wait for: the run pauses, and starts the node again once the form is submitted. */
	readonly form?: HumanForm;
}

/** Runs the inner graph of a container. */
export interface RoundRunner {
	/** Runs the graph once with `variables` and waits for it to finish; `index` counts from 0. */
	run(index: number, variables: VariablePool): Promise<RoundEnd>;
	/** Adds the outputs of an iteration to those of the enclosing level. */
	keepOutputs(outputs: Readonly<Record<string, unknown>>): void;
	/** Sends an event about the container. `kind`: "started", "next" or "completed". */
	emit(kind: 'started' | 'next' | 'completed', data: ContainerData): void;
}

/** How one level of a run ended: an iteration, or the agent itself. */
export interface RoundEnd {
	/** `paused`: only for the agent itself, never for an iteration. */
	readonly status: 'succeeded' | 'failed' | 'stopped' | 'paused';
	readonly error?: Error;
	/** True if a loop-end node was reached. */
	readonly broke: boolean;
	/** Outputs of the level's end and answer nodes. */
	readonly outputs: Readonly<Record<string, unknown>>;
	/** Tokens of all nodes of this level and the levels inside it. */
	readonly tokens: number;
}

/** Declares a node type. The schema determines the type of `settings`. */
export function defineNodeType<Schema extends z.ZodType>(declaration: {
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
