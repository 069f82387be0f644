import type { AppMode } from '#agentFile/appModes.ts';
import type { AgentVariable } from '#contract/agents.ts';
import type { NodeType } from '../nodes/nodeType.ts';

/** A parsed and checked agent file with everything needed for a run. Immutable and shared by runs. */
export interface LoadedAgent {
	/** Name of the file that the agent was read from, as given by the caller. */
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
	/** Names of the secret `env.*` variables. */
	readonly secretNames: readonly string[];
	/** Values of the secret variables, masked in recorded requests. */
	readonly secrets: readonly string[];
	/** Initial values of `conversation.*`. */
	readonly conversation: Readonly<Record<string, unknown>>;
	/** Declared types of the `conversation.*` variables, for example `array[string]`. */
	readonly conversationTypes: Readonly<Record<string, string>>;
	/**
	 * `workflow.features`, or the equivalent parts of `model_config`: opening statement, suggested questions, file upload, text to speech.
	 */
	readonly features: Readonly<Record<string, unknown>>;
	/** Agents included in the file by reference, as written (`agent_packages`). */
	readonly packages: Readonly<Record<string, unknown>>;
	readonly graph: Graph;
	/** Problems that a run fails at or ignores, for example a reference to a missing node. */
	readonly warnings: readonly AgentFault[];
}

/** A problem in an agent file. `line` counts from 1; `path` is the value's path, for example `workflow.graph.nodes[2].data.url`. */
export interface AgentFault {
	readonly message: string;
	readonly line: number;
	readonly path: string;
}

/** Variable of the start node (workflow DSL, "start"). */
export interface StartVariable extends AgentVariable {
	readonly allowedFileTypes: readonly string[];
}

/** Nodes of one level: the whole agent, or the inside of one iteration or loop. Acyclic, and every node is reachable from a root. */
export interface Graph {
	/** The first of {@link roots}. */
	readonly root: AgentNode;
	/** Start nodes and triggers, in file order; each run starts from one of them. Containers have exactly one. */
	readonly roots: readonly AgentNode[];
	/** Nodes by ID, in file order. */
	readonly nodes: ReadonlyMap<string, AgentNode>;
	/** End and answer nodes, in file order. */
	readonly responses: readonly AgentNode[];
}

export interface AgentNode {
	readonly id: string;
	/** `data.type`, for example `llm`. */
	readonly type: string;
	readonly title: string;
	/** Absent if the engine doesn't know the type; the node fails when it is reached. */
	readonly nodeType: NodeType | undefined;
	/** `data`, checked and completed by the node type. */
	readonly settings: unknown;
	readonly failure: FailurePolicy;
	readonly outgoing: readonly Edge[];
	/** Number of incoming edges, including those from unreachable nodes. */
	readonly incoming: number;
	/** Graph inside an iteration or loop. */
	readonly inner: Graph | undefined;
}

export interface Edge {
	readonly source: string;
	readonly target: string;
	/** Output handle of the source: `source`, a case or class ID, `false`, or `fail-branch`. */
	readonly handle: string;
}

/** How a node's failure is handled (workflow DSL, "Failure handling"). */
export interface FailurePolicy {
	readonly strategy: 'none' | 'fail-branch' | 'default-value';
	/** Outputs that replace those of the failed node, for `default-value`. */
	readonly defaults: Readonly<Record<string, unknown>>;
	/** Number of retries after the first attempt. */
	readonly retries: number;
	/** Delay before each retry, in milliseconds. */
	readonly retryDelayMs: number;
}

/** Refers to a value: node ID (or `sys`, `env`, `conversation`), variable, and keys into it. */
export type Selector = readonly string[];
