import type { WorkflowPausedEvent } from '#contract/events.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { Log } from '../process/log.ts';
import { EventWriter } from './eventWriter.ts';
import type { FinishedRun, LiveRun, RunListener } from './liveRun.ts';
import { createPause, type RunRequest } from './runPause.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunSlot } from './runSlots.ts';

/** A run to start or resume. */
export interface RunBegin {
	readonly id: string;
	readonly taskId: string;
	readonly seq: number;
	readonly user: string;
	readonly target: RunnableAgent;
	readonly request: RunRequest;
	readonly slot: RunSlot;
	readonly listener: RunListener | undefined;
	/** Number of its last recorded event. */
	readonly after: number;
	/** Options that only exist in this process. A run that resumes after a pause doesn't have them. */
	readonly more?: Pick<RunOptions, 'gate' | 'replay' | 'playback' | 'alone' | 'recording' | 'parent'>;
}

/**
 * Executes a run until it ends or pauses, and records and emits its events as they happen.
 * @param ended called once no branch is active anymore, with true if the run is paused
 */
export function startLiveRun(
	{ id, taskId, seq, user, target, request, listener, after, more }: RunBegin,
	run: (options: RunOptions) => Promise<RunOutcome>,
	{ recorder, log }: { readonly recorder: RunRecorder; readonly log: Log },
	ended: (waits: boolean) => void,
): LiveRun {
	const { trigger, mode, recording: _, ...asked } = request;
	const controller = new AbortController();
	const listeners = new Set<RunListener>(listener ? [listener] : []);
	const writer = new EventWriter(recorder, seq, listeners, after);
	const runToOutcome = async () =>
		run({
			...asked,
			runId: id,
			taskId,
			workflowId: target.workflowId,
			appId: target.row.app_id,
			agentName: target.row.name,
			user,
			...(trigger !== undefined && { root: trigger }),
			// a single node can't be resumed
			mayPause: !more?.alone,
			...more,
			signal: controller.signal,
			emit: event => writer.emitEvent(event),
		});
	let waits = false;
	const done = runToOutcome()
		.then(({ data, variables, citations, paused }): FinishedRun => {
			if (writer.failure !== undefined) {
				throw writer.failure;
			}
			waits = paused !== undefined;
			return {
				data: paused
					? {
							...data,
							...getPauseData(writer.pauseRun(createPause(taskId, { request, state: paused }, target.agent, target.source, data))),
						}
					: data,
				variables,
				citations,
			};
		})
		.catch((error: unknown): never => {
			log.error('Run failed unexpectedly', { run: id, error });
			const fault =
				error instanceof ServiceFault ? error : new ServiceFault(500, 'Internal Server Error, please contact support.', { cause: error });
			writer.failRun({ task_id: taskId, workflow_run_id: id }, fault);
			throw fault;
		})
		.finally(() => ended(waits));
	// handle the rejection even if no caller waits for the run
	done.catch(() => {});
	return {
		id,
		taskId,
		agent: target.row.id,
		user,
		mode,
		seq,
		controller,
		listeners,
		done,
		getLastNumber: () => writer.lastNumber,
	};
}

/** Returns the data of a paused run that only blocking callers get. */
function getPauseData({ paused_nodes, reasons }: WorkflowPausedEvent['data']): object {
	return { paused_nodes, reasons };
}
