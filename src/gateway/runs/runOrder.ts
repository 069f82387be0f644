import type { Attack } from '#contract/attack.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { RunParent } from '#contract/partialRun.ts';
import type { RecordingUse } from '#contract/recordings/recordings.ts';
import type { FileObject, ResponseMode } from '#contract/workflows.ts';
import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { RunGate } from '#engine/run/gate.ts';
import type { PartOrder } from '#engine/standIns/partialAgents.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { RunReplies } from '../recordings/openRecordings.ts';
import type { LiveRun, RunListener } from './liveRun.ts';

/** A request to run an agent. */
export interface RunOrder {
	readonly target: RunnableAgent;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	readonly user: string;
	readonly mode: ResponseMode;
	/** ID of the start node or trigger to start from; by default the first one in the file. */
	readonly trigger?: string;
	/** Context of a chat turn. */
	readonly chat?: ChatContext;
	/** Mocked nodes by ID. */
	readonly mocks?: Mocks;
	/** Attack that replaces the services that the run calls. */
	readonly attack?: Attack;
	/** True if models use the reply cache. */
	readonly cache?: boolean;
	/** Open recording that the run uses. */
	readonly recording?: RecordingUse;
	/** The part of the agent to run; by default all of it. */
	readonly piece?: PartOrder;
	/** The run that this one is a fork of. */
	readonly parent?: RunParent;
	/** Gate that controls the nodes of a debugged run. */
	readonly gate?: RunGate;
}

/** A validated run in the queue. Disposing of it frees its slot, unless the run has started. */
export interface PreparedRun extends Disposable {
	/** ID of the run. It's known before the run starts. */
	readonly id: string;
	readonly taskId: string;
	/** Starts the run when its turn comes. `listener` receives all events of the run. */
	start(listener?: RunListener): Promise<LiveRun>;
}

/** Returns what a run replays and records. Replies of runs that a user looks at are kept, so that forks of them can reuse the replies. */
export function getRunReplies({ recording: use, gate, piece }: RunOrder): RunReplies {
	const { run, how, replies = true, side_effects: effects } = piece?.part ?? {};
	const isFork = how === 'from';
	const isKept = isFork || gate !== undefined || (use !== undefined && use.case === undefined);
	const parent = isFork && replies ? run : undefined;
	return { use, isKept, ...(parent !== undefined && { parent }), avoidsEffects: effects === 'recorded' };
}
