import { randomUUID } from 'node:crypto';
import type { WorkflowFinishedEvent } from '../../protocol/events.ts';
import type { FileObject, ResponseMode } from '../../protocol/workflows.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { ChatContext } from '../engine/engineTypes.ts';
import type { Log } from '../log.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import type { RunRow } from '../store/runStore.ts';
import type { Store } from '../store/store.ts';
import type { Engine } from './engine.ts';
import { EventWriter } from './eventWriter.ts';
import type { FinishedRun, LiveRun, RunListener } from './liveRun.ts';
import { timeOrderedId } from './runIds.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunSlots } from './runSlots.ts';

/** A run that is asked for. */
export interface RunOrder {
	readonly target: RunnableAgent;
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly files: readonly FileObject[];
	readonly user: string;
	readonly mode: ResponseMode;
	/** Present for a turn of a chat. */
	readonly chat?: ChatContext;
}

/** A run that was checked and has its place in the queue. */
export interface PreparedRun {
	/** Known before the run starts. */
	readonly id: string;
	readonly taskId: string;
	/** Starts the run when its turn comes; `listener` follows it from its first event on. Must be called. */
	start(listener?: RunListener): Promise<LiveRun>;
}

/** What a run service is made of. */
export interface RunServiceParts {
	readonly store: Store;
	readonly engine: () => Promise<Engine>;
	readonly slots: RunSlots;
	readonly recorder: RunRecorder;
	readonly log: Log;
}

/** Runs whose end is remembered, so that a late stop gets a clear answer. */
const rememberedRuns = 10_000;

/** Starts runs, keeps those that go on, and stops them. A run belongs to the service, not to the client that asked for it. */
export class RunService {
	readonly #parts: RunServiceParts;
	readonly #live = new Map<string, LiveRun>();
	/** Task IDs of runs that have ended, oldest first, with their agent. */
	readonly #ended = new Map<string, number>();
	#closing = false;

	constructor(parts: RunServiceParts) {
		this.#parts = parts;
	}

	/** Number of runs that go on. */
	get active(): number {
		return this.#live.size;
	}

	/** Checks a run and puts it into the queue. Throws a fault: 400 for inputs that the agent does not take, 429 when too many runs wait. */
	async prepare(order: RunOrder): Promise<PreparedRun> {
		const { slots } = this.#parts;
		const engine = await this.#parts.engine();
		const inputs = engine.checkInputs(order.target.agent, order.inputs, order.files);
		this.#checkUploads(order.files);
		const turn = slots.take(order.target.row.name);
		const ids = { id: timeOrderedId(Date.now()), taskId: randomUUID() };
		return {
			...ids,
			start: async listener => {
				await turn;
				try {
					if (this.#closing) {
						throw new ServiceFault(503, 'The service is ending: no more runs are started.');
					}
					return this.#start(engine, order, inputs, ids, listener);
				} catch (error) {
					slots.release();
					throw error;
				}
			},
		};
	}

	/**
	 * Hands over the events of a run from its first one on, those to come too, until it has ended or `signal` aborts. Pieces of text that came before
	 * are left out: the last event has the whole.
	 */
	async follow(row: RunRow, signal: AbortSignal, send: (json: string) => void): Promise<void> {
		const { recorder, store } = this.#parts;
		recorder.flush();
		const events = store.runs.events(row.seq);
		for (const event of events) {
			send(event);
		}
		const live = this.#live.get(row.task_id);
		if (!live) {
			if (!events.at(-1)?.startsWith('{"event":"workflow_finished"')) {
				send(JSON.stringify(lastEventOf(row)));
			}
			return;
		}
		const listener: RunListener = (_event, json) => send(json);
		live.listeners.add(listener);
		await Promise.race([live.done.catch(() => {}), new Promise(resolve => signal.addEventListener('abort', resolve))]);
		live.listeners.delete(listener);
	}

	/** Stops a run. Throws a fault that says why it cannot be: unknown task, another user's, started in blocking mode, ended already. */
	stop(agent: number, taskId: string, user: string): void {
		const run = this.#live.get(taskId);
		if (!run || run.agent !== agent) {
			throw this.#ended.get(taskId) === agent
				? new ServiceFault(400, 'The run has already ended: only a running one can be stopped.', { code: 'bad_request' })
				: new ServiceFault(404, 'Task not found: expected the task_id of a streaming run of this agent.');
		}
		if (run.user !== user) {
			throw new ServiceFault(403, 'The run belongs to another user: expected the user that started it.');
		}
		if (run.mode === 'blocking') {
			throw new ServiceFault(400, 'The run was started in blocking mode: only streaming runs can be stopped.', { code: 'bad_request' });
		}
		run.controller.abort();
	}

	/** Starts no more runs, ends those that go on as stopped, and resolves when all ends are written, or after `graceMs`. */
	async stopAll(graceMs: number): Promise<void> {
		this.#closing = true;
		const runs = [...this.#live.values()];
		for (const run of runs) {
			run.controller.abort();
		}
		const ended = Promise.allSettled(runs.map(run => run.done));
		await Promise.race([ended, new Promise(resolve => setTimeout(resolve, graceMs).unref())]);
		this.#parts.recorder.flush();
	}

	#start(
		engine: Engine,
		order: RunOrder,
		inputs: Readonly<Record<string, unknown>>,
		{ id, taskId }: { readonly id: string; readonly taskId: string },
		listener: RunListener | undefined,
	): LiveRun {
		const { store, recorder, log } = this.#parts;
		const { row, agent, workflowId, draft } = order.target;
		const { user, mode, files } = order;
		const seq = store.runs.start({
			id,
			taskId,
			agent: row.id,
			listed: !draft,
			workflowId,
			user,
			inputs: JSON.stringify({ ...inputs, 'sys.files': files, 'sys.user_id': user }),
			createdAt: Date.now(),
		});
		const controller = new AbortController();
		const listeners = new Set<RunListener>(listener ? [listener] : []);
		const writer = new EventWriter(recorder, seq, listeners);
		const done = engine
			.run(agent, {
				runId: id,
				taskId,
				workflowId,
				appId: row.app_id,
				sequenceNumber: store.agents.nextSequenceNumber(row.id),
				inputs,
				files,
				user,
				...(order.chat && { chat: order.chat }),
				signal: controller.signal,
				emit: event => writer.emit(event),
				record: record => writer.record(record),
			})
			.then(({ data, variables }): FinishedRun => {
				if (writer.failure !== undefined) {
					throw writer.failure;
				}
				return { data, variables };
			})
			.catch((error: unknown): never => {
				log.error('a run could not go on', { run: id, error });
				const fault = new ServiceFault(500, 'Internal Server Error, please contact support.', { cause: error });
				writer.fail({ task_id: taskId, workflow_run_id: id }, fault);
				throw fault;
			})
			.finally(() => this.#end(run));
		const run: LiveRun = { id, taskId, agent: row.id, user, mode, seq, controller, listeners, done };
		this.#live.set(taskId, run);
		// a run that nobody waits for still ends in order
		done.catch(() => {});
		return run;
	}

	#end(run: LiveRun): void {
		this.#live.delete(run.taskId);
		this.#ended.set(run.taskId, run.agent);
		const [oldest] = this.#ended.keys();
		if (this.#ended.size > rememberedRuns && oldest !== undefined) {
			this.#ended.delete(oldest);
		}
		this.#parts.slots.release();
		this.#parts.store.search.wake();
	}

	#checkUploads(files: readonly FileObject[]): void {
		for (const file of files) {
			if (file.transfer_method === 'local_file' && !this.#parts.store.uploads.get(file.upload_file_id)) {
				throw new ServiceFault(400, 'Invalid upload file: upload_file_id names no uploaded file.', { params: 'files' });
			}
		}
	}
}

/** The last event of a run that ended without one: the process ended before it did. */
function lastEventOf({
	id,
	task_id,
	workflow_id,
	status,
	error,
	elapsed_time,
	total_tokens,
	total_steps,
	created_at,
	finished_at,
}: RunRow): WorkflowFinishedEvent {
	return {
		event: 'workflow_finished',
		task_id,
		workflow_run_id: id,
		data: {
			id,
			workflow_id,
			status,
			outputs: null,
			error,
			elapsed_time,
			total_tokens,
			total_steps,
			created_at: Math.floor(created_at / 1000),
			finished_at: finished_at === null ? null : Math.floor(finished_at / 1000),
		},
	};
}
