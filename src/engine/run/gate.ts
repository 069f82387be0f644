import type { AgentNode, Graph } from '../agentFile/agentTypes.ts';
import type { VariableLog } from '../variables/variableLog.ts';
import type { VariablePool } from '../variables/variables.ts';
import type { ModelRequest, ModelToolCall } from './engineTypes.ts';
import type { Execution, ExecutionPlace } from './execution.ts';
import type { ReadyNode } from './level/graphProgress.ts';
import type { RunState } from './runState.ts';

/** A running level of a graph: the agent, or an iteration of a container. */
export interface GateLevel {
	readonly run: RunState;
	readonly graph: Graph;
	readonly variables: VariablePool;
	readonly place: ExecutionPlace;
	/** The enclosing node; absent for the outermost agent. */
	readonly around: EnclosingNode | undefined;
	/** Runs a finished node again and discards its effects. Only valid if none of the following nodes has started. */
	runNodeAgain(node: AgentNode): void;
}

/** A node that runs a level of its graph: a container, or a node that uses an agent as a tool. */
export interface EnclosingNode {
	readonly level: GateLevel;
	readonly node: AgentNode;
	/** Number of the iteration, from 0. */
	readonly round?: number;
	/** Name of the agent that is used as a tool. */
	readonly agent?: string;
}

/** A model call of a node that is about to be made. */
export interface HeldModelCall extends Pick<EnclosingNode, 'level' | 'node'> {
	readonly request: ModelRequest;
}

/** A reply that a person gives instead of a model. `input` of a call is JSON. */
export interface ModelReplyByHand {
	readonly text: string;
	readonly calls: readonly Pick<ModelToolCall, 'name' | 'input'>[];
}

/**
 * Hook before every start of a node, for all levels of a run and of the runs that it starts. Used by the debugger; nodes don't know about
 * it.
 */
export interface RunGate {
	/** Logs the variables of the run, so that their earlier values can be read. */
	readonly variableLog?: VariableLog;
	/**
	 * Called when a node is ready. @returns a promise that resolves to true to start the node, or to false if a preceding node runs again;
	 * undefined to start it immediately
	 */
	onNodeReady(ready: ReadyNode, level: GateLevel): Promise<boolean> | undefined;
	/**
	 * Called when an attempt fails, before retries and the error strategy. @returns a promise that resolves to true to run the node again;
	 * undefined to continue
	 */
	onAttemptFailed(execution: Execution, error: Error, level: GateLevel): Promise<boolean> | undefined;
	/**
	 * Called before a model call. @returns a promise that resolves to a reply that replaces the call, or to undefined to make it; undefined to
	 * make it immediately
	 */
	onModelCall?(call: HeldModelCall, signal: AbortSignal): Promise<ModelReplyByHand | undefined> | undefined;
	/** Called when the edges of a node have been taken, with the nodes that are ready as a result. */
	onEdgesTaken(node: AgentNode, ready: readonly ReadyNode[], level: GateLevel): void;
	/** Called when a node has finished, whether it succeeded or not. */
	onNodeFinished(node: AgentNode, level: GateLevel): void;
	/** Called when a level is about to finish because no node is left. @returns a promise that resolves when it may; undefined if at once */
	onLevelEnding?(level: GateLevel): Promise<unknown> | undefined;
	/** Called when a level has finished. Nodes still paused in it don't start anymore. */
	onLevelClosed(level: GateLevel): void;
}
