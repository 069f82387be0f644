import type { LoadedAgent, Selector } from '../agentFile/agentTypes.ts';
import type { Citation } from '../knowledge/citations.ts';
import type { NodeContext, NodeResult } from '../nodes/nodeType.ts';
import type { EngineServices, RunOptions } from './engineTypes.ts';
import type { FormAnswer } from './pausedRun.ts';
import type { RunEvents } from './runEvents.ts';
import type { RunScheduler } from './runScheduler.ts';

/** Runs a node. Tests replace it with recorded results. */
export type Execute = (context: NodeContext<never>) => NodeResult | Promise<NodeResult>;

/** State shared by all levels of one run. */
export interface RunState {
	readonly agent: LoadedAgent;
	readonly options: RunOptions;
	readonly services: EngineServices;
	readonly execute: Execute;
	readonly events: RunEvents;
	readonly scheduler: RunScheduler;
	/** Responses to the forms that the run paused for, by node ID. */
	readonly answers: Readonly<Record<string, FormAnswer>>;
	/** Number of nodes started and retried outside of containers (workflow DSL, "Execution"). */
	steps: number;
	/** Number of failed attempts, handled or not, including those in iterations. */
	exceptions: number;
	tokens: number;
	/** True if a finished node was run again, so that text already sent may be outdated. */
	rewritten: boolean;
	/** Knowledge segments given to models. */
	readonly citations: Citation[];
	/** Sends a chunk of the text of end and answer nodes. Returns false if the run has reached its limit of text. */
	readonly sendText: (text: string, selector: Selector) => boolean;
}
