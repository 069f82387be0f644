import type { Mocks } from '#contract/mocks.ts';
import type { FileObject, ResponseMode } from '#contract/workflows.ts';
import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { RunGate } from '#engine/run/gate.ts';
import type { PieceOrder } from '#engine/standIns/pieces.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { LiveRun, RunListener } from './liveRun.ts';

/** A run that is asked for. */
export interface RunOrder {
	readonly target: RunnableAgent;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	readonly user: string;
	readonly mode: ResponseMode;
	/** ID of the start node or trigger to begin with; absent: the first in the file. */
	readonly trigger?: string;
	/** Present for a turn of a chat. */
	readonly chat?: ChatContext;
	/** Nodes that are not run, by ID. */
	readonly mocks?: Mocks;
	/** Whether replies of models come from the cache, and are kept there. */
	readonly cache?: boolean;
	/** What of the agent is run, where that is not the whole. */
	readonly piece?: PieceOrder;
	/** What its nodes stand behind, of a run that is debugged. */
	readonly gate?: RunGate;
}

/** A run that was checked and has its place in the queue; disposing of it gives the place up, unless the run has started. */
export interface PreparedRun extends Disposable {
	/** Known before the run starts. */
	readonly id: string;
	readonly taskId: string;
	/** Starts the run when its turn comes; `listener` follows it from its first event on. */
	start(listener?: RunListener): Promise<LiveRun>;
}
