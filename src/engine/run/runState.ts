import type { LoadedAgent, Selector } from '../agentFile/agentTypes.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { NodeContext, NodeResult } from '../nodes/nodeType.ts';
import type { EngineServices, RunOptions } from './engineTypes.ts';
import type { FormAnswer } from './pausedRun.ts';
import type { RunEvents } from './runEvents.ts';
import type { RunScheduler } from './runScheduler.ts';

/** How a node is run; tests put recorded results in its place. */
export type Execute = (context: NodeContext<never>) => NodeResult | Promise<NodeResult>;

/** What all levels of one run share. */
export interface RunState {
	readonly agent: LoadedAgent;
	readonly options: RunOptions;
	readonly services: EngineServices;
	readonly execute: Execute;
	readonly events: RunEvents;
	readonly scheduler: RunScheduler;
	/** What became of the forms that the run has paused for, by node. */
	readonly answers: Readonly<Record<string, FormAnswer>>;
	/** Nodes started, and retries, outside of containers (workflow DSL, "Execution"). */
	steps: number;
	/** Failed attempts, handled or not, those in rounds included. */
	exceptions: number;
	tokens: number;
	/** Whether a node that had ended was run again: texts that were sent may be of what it put out before. */
	rewritten: boolean;
	/** Segments of knowledge that models were given. */
	readonly citations: Citation[];
	/** Sends a piece of the texts of end and answer nodes. Returns false if the run has sent as much as it can. */
	readonly sendText: (text: string, selector: Selector) => boolean;
}
