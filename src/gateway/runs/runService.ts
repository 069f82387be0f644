import { randomUUID } from 'node:crypto';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import type { FormAnswer } from '#engine/run/pausedRun.ts';
import type { Piece } from '#engine/standIns/pieces.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { Log } from '../process/log.ts';
import type { PausedRunRow } from '../store/pausedRunStore.ts';
import type { Store } from '../store/store.ts';
import { beginRun, type RunBegin } from './beginRun.ts';
import { EndedRuns } from './endedRuns.ts';
import type { Engine } from './engine.ts';
import type { LiveRun, RunListener } from './liveRun.ts';
import { timeOrderedId } from './runIds.ts';
import type { PreparedRun, RunOrder } from './runOrder.ts';
import type { RunRequest, SavedRun } from './runPause.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunSlot, RunSlots } from './runSlots.ts';
import { checkUser, WaitingRuns } from './waitingRuns.ts';

/** What a run service is made of. */
interface RunServiceParts {
	readonly store: Store;
	readonly engine: () => Promise<Engine>;
	readonly slots: RunSlots;
	readonly recorder: RunRecorder;
	readonly log: Log;
}

/** Starts runs, keeps those that go on, and stops them. A run belongs to the service, not to the client that asked for it. */
export class RunService {
	/** Those of its runs that wait for a person. */
	readonly waiting: WaitingRuns;
	readonly #parts: RunServiceParts;
	readonly #live = new Map<string, LiveRun>();
	readonly #ended = new EndedRuns();
	/** Runs that wait for their turn, by ID: what gives that up. */
	readonly #waiting = new Map<string, () => void>();
	readonly #pauseListeners = new Set<() => void>();
	#closing = false;

	constructor(parts: RunServiceParts) {
		this.#parts = parts;
		this.waiting = new WaitingRuns(parts.store, (taskId, agent) => this.#ended.add(taskId, agent));
	}

	/** Number of runs that go on. */
	get active(): number {
		return this.#live.size;
	}

	/** Checks a run and puts it into the queue. Throws a fault: 400 for inputs that the agent does not take, 429 when too many runs wait. */
	async prepare(order: RunOrder): Promise<PreparedRun> {
		const { slots } = this.#parts;
		const engine = await this.#parts.engine();
		const { target, files, trigger } = order;
		const piece = order.piece && engine.pieceOf(target.agent, order.piece);
		// a node that runs alone begins with no start node
		const inputs = piece?.alone ? order.inputs : engine.checkInputs(target.agent, order.inputs, files, trigger);
		if (order.mocks) {
			engine.checkMocks(target.agent, order.mocks);
		}
		this.checkUploads('files', files);
		for (const [name, given] of piece?.alone ? [] : engine.fileInputs(target.agent, inputs, trigger)) {
			this.checkUploads(name, given);
		}
		const slot = slots.take(target.row.name);
		let started = false;
		const ids = { id: timeOrderedId(Date.now()), taskId: randomUUID() };
		return {
			...ids,
			start: async listener => {
				await this.#turnOf(ids.id, slot);
				if (this.#closing) {
					throw new ServiceFault(503, 'The service is ending: no more runs are started.');
				}
				const live = this.#start(engine, { ...order, inputs }, piece, ids, slot, listener);
				started = true;
				return live;
			},
			[Symbol.dispose]() {
				if (!started) {
					slot[Symbol.dispose]();
				}
			},
		};
	}

	/**
	 * A run that waits for a person and has answers to go on with; it takes them when it is started. Starting it throws a fault where the run waits no
	 * more, or the store does not take it.
	 */
	resumption(row: PausedRunRow, { request, state }: SavedRun, target: RunnableAgent, slot: RunSlot): PreparedRun {
		let started = false;
		return {
			id: row.id,
			taskId: row.task_id,
			start: async listener => {
				await slot.ready;
				const engine = await this.#parts.engine();
				const { paused, runs } = this.#parts.store;
				if (this.#closing || !paused.get(row.run)) {
					throw new ServiceFault(404, 'The run waits no more.');
				}
				const answers = Object.fromEntries(
					Object.entries(paused.answers(row.run)).map(([node, answer]) => [node, JSON.parse(answer) as FormAnswer]),
				);
				runs.resume(row.run);
				// whoever waited for its end was told that it paused: it is followed and stopped like one that streams
				const resumed: RunRequest = { ...request, mode: 'streaming' };
				started = true;
				return this.#go(
					{
						id: row.id,
						taskId: row.task_id,
						seq: row.run,
						user: row.user,
						target,
						request: resumed,
						slot,
						listener,
						after: runs.lastEvent(row.run),
					},
					options => engine.resume(target.agent, options, state, answers),
				);
			},
			[Symbol.dispose]() {
				if (!started) {
					slot[Symbol.dispose]();
				}
			},
		};
	}

	/** The run of a task that goes on. */
	live(taskId: string): LiveRun | undefined {
		return this.#live.get(taskId);
	}

	/** Calls back after runs have begun to wait for a person. */
	onPause(listener: () => void): void {
		this.#pauseListeners.add(listener);
	}

	/** Ends a run that a person has let wait for too long, whether other branches of it go on or not. */
	giveUp(seq: number, error: string): void {
		const live = [...this.#live.values()].find(run => run.seq === seq);
		if (live) {
			live.controller.abort(new Error(error));
		} else {
			this.waiting.end(seq, 'stopped', error, 'expired');
		}
	}

	/**
	 * Stops a run; one that has just ended is left as it is, for a client that stops a moment late wanted no more (wire facts 1.1). Throws a fault that
	 * says why it cannot be: unknown task, another user's, started in blocking mode.
	 */
	stop(agent: number, taskId: string, user: string): void {
		const run = this.#live.get(taskId);
		if (!run || run.agent !== agent) {
			if (this.waiting.stop(agent, taskId, user)) {
				return;
			}
			if (this.#ended.has(taskId, agent)) {
				return;
			}
			throw new ServiceFault(404, 'Task not found: expected the task_id of a streaming run of this agent.');
		}
		checkUser(run.user, user);
		if (run.mode === 'blocking') {
			throw new ServiceFault(400, 'The run was started in blocking mode: only streaming runs can be stopped.', { code: 'bad_request' });
		}
		run.controller.abort();
	}

	/** Whether a run goes on, or waits for its turn or a person. */
	isWanted(id: string): boolean {
		return this.#waiting.has(id) || [...this.#live.values()].some(run => run.id === id) || this.waiting.has(id);
	}

	/** Ends these runs as stopped, those that wait for a person too, and those that wait for their turn before they start. Resolves when their ends are written. */
	async endAll(ids: readonly string[]): Promise<void> {
		const wanted = new Set(ids);
		for (const id of wanted) {
			this.#waiting.get(id)?.();
			this.waiting.stopRun(id);
		}
		const runs = [...this.#live.values()].filter(({ id }) => wanted.has(id));
		for (const run of runs) {
			run.controller.abort();
		}
		await Promise.allSettled(runs.map(run => run.done));
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
		this.#parts.recorder.stop();
	}

	/** Resolves when it is this run's turn. Rejects with a fault where {@link endAll} was faster. */
	async #turnOf(id: string, slot: RunSlot): Promise<void> {
		const { promise, reject } = Promise.withResolvers<never>();
		this.#waiting.set(id, () => reject(new ServiceFault(404, 'Conversation Not Exists.')));
		try {
			await Promise.race([slot.ready, promise]);
		} finally {
			this.#waiting.delete(id);
		}
	}

	#start(
		engine: Engine,
		order: RunOrder,
		piece: Piece | undefined,
		{ id, taskId }: { readonly id: string; readonly taskId: string },
		slot: RunSlot,
		listener: RunListener | undefined,
	): LiveRun {
		const { store } = this.#parts;
		const { target, inputs, user, mode, files, trigger, chat, mocks, cache, gate } = order;
		const sequenceNumber = store.agents.nextSequenceNumber(target.row.id);
		const seq = store.runs.start({
			id,
			taskId,
			agent: target.row.id,
			listed: !target.draft,
			workflowId: target.workflowId,
			user,
			inputs: JSON.stringify({ ...inputs, 'sys.files': files, 'sys.user_id': user }),
			createdAt: Date.now(),
		});
		const asked = {
			...(trigger !== undefined && { trigger }),
			...(chat && { chat }),
			...(mocks && { mocks }),
			...(cache !== undefined && { cache }),
		};
		const request = { sequenceNumber, inputs, files, mode, ...asked };
		const { agent = target.agent, ...rest } = piece ?? {};
		const more = { ...rest, ...(gate && { gate }) };
		return this.#go({ id, taskId, seq, user, target, request, slot, listener, after: 0, more }, options => engine.run(agent, options));
	}

	/** Lets a run go on until it ends or waits for a person. */
	#go(begin: RunBegin, run: (options: RunOptions) => Promise<RunOutcome>): LiveRun {
		const live = beginRun(begin, run, this.#parts, waits => this.#end(live, begin.slot, waits));
		this.#live.set(live.taskId, live);
		this.waiting.tell(live.seq);
		return live;
	}

	#end(run: LiveRun, slot: RunSlot, waits: boolean): void {
		slot[Symbol.dispose]();
		this.#live.delete(run.taskId);
		this.#ended.add(run.taskId, run.agent);
		this.#parts.store.search.wake();
		for (const listener of waits ? this.#pauseListeners : []) {
			listener();
		}
	}

	/** Throws a fault (400) for a file that was never uploaded. */
	checkUploads(field: string, files: readonly FileObject[]): void {
		for (const file of files) {
			if (file.transfer_method === 'local_file' && !this.#parts.store.uploads.get(file.upload_file_id)) {
				throw new ServiceFault(400, 'Invalid upload file: upload_file_id names no uploaded file.', { params: field });
			}
		}
	}
}
