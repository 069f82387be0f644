import type { AgentNode, Graph } from '../agentFile/agentTypes.ts';
import type { VariablePool } from '../variables/variables.ts';
import type { Execution, ExecutionPlace } from './execution.ts';
import type { ReadyNode } from './level/graphProgress.ts';
import type { RunState } from './runState.ts';

/** One level of a graph that is walked: the agent, or a round of a container. */
export interface GateLevel {
	readonly run: RunState;
	readonly graph: Graph;
	readonly variables: VariablePool;
	readonly place: ExecutionPlace;
	/** What it is inside of; absent for the agent that was asked for. */
	readonly around: Around | undefined;
	/** Runs a node again that has ended, in place of all that it led to: none of that may have begun. */
	again(node: AgentNode): void;
}

/** A node that walks a level of its own: a container with one of its rounds, or one that uses an agent as a tool. */
export interface Around {
	readonly level: GateLevel;
	readonly node: AgentNode;
	/** From 0. */
	readonly round?: number;
	/** Name of the agent that is used as a tool. */
	readonly agent?: string;
}

/**
 * Stands before every start of a node, for all levels of a run and for the runs that it begins: a debugger. Nothing of it is in the nodes. A run
 * without one asks nobody.
 */
export interface RunGate {
	/** A node is ready. @returns when it is decided whether it starts: not, where what led to it runs again; undefined: it starts at once */
	before(ready: ReadyNode, level: GateLevel): Promise<boolean> | undefined;
	/** An attempt has failed; retry and strategy come after. @returns whether the node is to be run again; undefined: it goes its way */
	failed(execution: Execution, error: Error, level: GateLevel): Promise<boolean> | undefined;
	/** A node has gone its ways, and these are ready by that. */
	led(node: AgentNode, ready: readonly ReadyNode[], level: GateLevel): void;
	/** A node has ended, however it did. */
	finished(node: AgentNode, level: GateLevel): void;
	/** A level has ended; what still stood there starts no more. */
	closed(level: GateLevel): void;
}
