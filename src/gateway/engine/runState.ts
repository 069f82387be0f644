import type { LoadedAgent } from './agentTypes.ts';
import type { EngineServices, RunOptions } from './engineTypes.ts';
import type { NodeContext, NodeResult } from './nodes/nodeType.ts';
import type { RunEvents } from './runEvents.ts';

/** How a node is run; tests put recorded results in its place. */
export type Execute = (context: NodeContext<never>) => NodeResult | Promise<NodeResult>;

/** What all levels of one run share. */
export interface RunState {
	readonly agent: LoadedAgent;
	readonly options: RunOptions;
	readonly services: EngineServices;
	readonly execute: Execute;
	readonly events: RunEvents;
	/** Outputs of the run as far as end and answer nodes were reached. */
	readonly outputs: Record<string, unknown>;
	/** Nodes started, and retries, outside of containers (workflow DSL, "Execution"). */
	steps: number;
	readonly maxSteps: number;
	/** Failed attempts outside of containers, handled or not. */
	exceptions: number;
	tokens: number;
}
