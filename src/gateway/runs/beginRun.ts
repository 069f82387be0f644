import type { WorkflowPausedEvent } from '#contract/events.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { Log } from '../process/log.ts';
import { EventWriter } from './eventWriter.ts';
import type { FinishedRun, LiveRun, RunListener } from './liveRun.ts';
import { pauseOf, type RunRequest } from './runPause.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunSlot } from './runSlots.ts';

/** A run that is let go on. */
export interface RunBegin {
	readonly id: string;
	readonly taskId: string;
	readonly seq: number;
	readonly user: string;
	readonly target: RunnableAgent;
	readonly request: RunRequest;
	readonly slot: RunSlot;
	readonly listener: RunListener | undefined;
	/** Number of its last event. */
	readonly after: number;
	/** What only this process knows of the run: it goes on without after a pause. */
	readonly more?: Pick<RunOptions, 'gate' | 'replay' | 'alone'>;
}

/**
 * Lets a run go on until it ends or waits for a person; its events are written and told as they come.
 * @param ended is called once nothing of it goes on any more, with whether it waits
 */
export function beginRun(
	{ id, taskId, seq, user, target, request, listener, after, more }: RunBegin,
	run: (options: RunOptions) => Promise<RunOutcome>,
	{ recorder, log }: { readonly recorder: RunRecorder; readonly log: Log },
	ended: (waits: boolean) => void,
): LiveRun {
	const { trigger, mode, ...asked } = request;
	const controller = new AbortController();
	const listeners = new Set<RunListener>(listener ? [listener] : []);
	const writer = new EventWriter(recorder, seq, listeners, after);
	const outcome = async () =>
		run({
			...asked,
			runId: id,
			taskId,
			workflowId: target.workflowId,
			appId: target.row.app_id,
			agentName: target.row.name,
			user,
			...(trigger !== undefined && { root: trigger }),
			// a node that runs alone is no agent that could go on
			mayPause: !more?.alone,
			...more,
			signal: controller.signal,
			emit: event => writer.emit(event),
		});
	let waits = false;
	const done = outcome()
		.then(({ data, variables, citations, paused }): FinishedRun => {
			if (writer.failure !== undefined) {
				throw writer.failure;
			}
			waits = paused !== undefined;
			return {
				data: paused
					? { ...data, ...waitingFor(writer.pause(pauseOf(taskId, { request, state: paused }, target.agent, target.source, data))) }
					: data,
				variables,
				citations,
			};
		})
		.catch((error: unknown): never => {
			log.error('a run could not go on', { run: id, error });
			const fault =
				error instanceof ServiceFault ? error : new ServiceFault(500, 'Internal Server Error, please contact support.', { cause: error });
			writer.fail({ task_id: taskId, workflow_run_id: id }, fault);
			throw fault;
		})
		.finally(() => ended(waits));
	// a run that nobody waits for still ends in order
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
		lastNumber: () => writer.lastNumber,
	};
}

/** What the data of a run that waits has beyond those of others, for blocking callers. */
function waitingFor({ paused_nodes, reasons }: WorkflowPausedEvent['data']): object {
	return { paused_nodes, reasons };
}
