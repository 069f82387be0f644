import type { AppMode } from '#agentFile/agentFileSchema.ts';
import type { AgentVariable } from '#contract/agents.ts';
import type { NodeType } from '../nodes/nodeType.ts';

/** An agent file, read and checked: everything a run needs of it. Immutable; many runs share one. */
export interface LoadedAgent {
	/** File the agent was read from, as the caller named it. */
	readonly fileName: string;
	/** `app.name`; empty if the file has none. */
	readonly appName: string;
	readonly mode: AppMode;
	readonly description: string;
	/** DSL version; "0.1.0" if the file has none. */
	readonly version: string;
	/** Variables of the start node, in the order of the file. */
	readonly variables: readonly StartVariable[];
	/** Values of `env.*`. */
	readonly environment: Readonly<Record<string, unknown>>;
	/** Names of those `env.*` that are secret. */
	readonly secretNames: readonly string[];
	/** Their values: kept out of what is recorded of requests. */
	readonly secrets: readonly string[];
	/** First values of `conversation.*`. */
	readonly conversation: Readonly<Record<string, unknown>>;
	/** Their declared types, for example `array[string]`. */
	readonly conversationTypes: Readonly<Record<string, string>>;
	/** `workflow.features`, or the like of `model_config`: opening statement, suggested questions, file upload, text to speech. */
	readonly features: Readonly<Record<string, unknown>>;
	/** Agents that the file carries, by their reference, as it has them (`agent_packages`). */
	readonly packages: Readonly<Record<string, unknown>>;
	readonly graph: Graph;
	/** What the file holds that a run will trip over or ignore, for example a reference to a node that does not exist. */
	readonly warnings: readonly AgentFault[];
}

/** Something wrong in an agent file. `line` counts from 1; `path` is that of the value, for example `workflow.graph.nodes[2].data.url`. */
export interface AgentFault {
	readonly message: string;
	readonly line: number;
	readonly path: string;
}

/** Variable of the start node (workflow DSL, "start"). */
export interface StartVariable extends AgentVariable {
	readonly allowedFileTypes: readonly string[];
}

/** Nodes of one level: the whole agent, or what is inside one iteration or loop. Has no cycle, and every node can be reached from a root. */
export interface Graph {
	/** The first of {@link roots}. */
	readonly root: AgentNode;
	/** Start nodes and triggers, in the order of the file; each run begins with one of them. Inside of a container there is one. */
	readonly roots: readonly AgentNode[];
	/** By node ID, in the order of the file. */
	readonly nodes: ReadonlyMap<string, AgentNode>;
	/** End and answer nodes, in the order of the file. */
	readonly responses: readonly AgentNode[];
}

export interface AgentNode {
	readonly id: string;
	/** `data.type`, for example `llm`. */
	readonly type: string;
	readonly title: string;
	/** Absent: a type that this engine does not know; the node fails when it is reached. */
	readonly nodeType: NodeType | undefined;
	/** `data`, checked and completed by the node type. */
	readonly settings: unknown;
	readonly failure: FailurePolicy;
	readonly outgoing: readonly Edge[];
	/** Number of edges that lead here, also from nodes that cannot be reached. */
	readonly incoming: number;
	/** What is inside an iteration or loop. */
	readonly inner: Graph | undefined;
}

export interface Edge {
	readonly source: string;
	readonly target: string;
	/** Which way out of the source: `source`, a case or class ID, `false`, or `fail-branch`. */
	readonly handle: string;
}

/** What happens when a node fails (workflow DSL, "Failure handling"). */
export interface FailurePolicy {
	readonly strategy: 'none' | 'fail-branch' | 'default-value';
	/** Outputs of a node that failed, for `default-value`. */
	readonly defaults: Readonly<Record<string, unknown>>;
	/** Attempts after the first; 0: none. */
	readonly retries: number;
	/** Milliseconds before each of them. */
	readonly retryDelayMs: number;
}

/** Names a value: node ID (or `sys`, `env`, `conversation`), variable, and keys into it. */
export type Selector = readonly string[];
