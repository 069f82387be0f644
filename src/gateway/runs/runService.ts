import { randomUUID } from 'node:crypto';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { RunOptions, RunOutcome } from '#engine/run/engineTypes.ts';
import type { FormAnswer } from '#engine/run/pausedRun.ts';
import type { PartialAgent } from '#engine/standIns/partialAgents.ts';
import type { RunnableAgent } from '../agents/agentRegistry.ts';
import type { Log } from '../process/log.ts';
import type { OpenRecordings } from '../recordings/openRecordings.ts';
import type { PausedRunRow } from '../store/pausedRunStore.ts';
import type { Store } from '../store/store.ts';
import { type RunBegin, startLiveRun } from './beginRun.ts';
import { EndedRuns } from './endedRuns.ts';
import type { Engine } from './engine.ts';
import type { LiveRun, RunListener } from './liveRun.ts';
import { createTimeOrderedId } from './runIds.ts';
import { getRunReplies, type PreparedRun, type RunOrder } from './runOrder.ts';
import type { RunRequest, SavedRun } from './runPause.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunSlot, RunSlots } from './runSlots.ts';
import { checkRunOwner, WaitingRuns } from './waitingRuns.ts';

interface RunServiceParts {
	readonly store: Store;
	readonly engine: () => Promise<Engine>;
	readonly slots: RunSlots;
	readonly recorder: RunRecorder;
	readonly recordings?: OpenRecordings;
	readonly log: Log;
}

/** Starts, tracks and stops runs. A run belongs to the service, not to the client that requested it. */
export class RunService {
	/** The paused runs. */
	readonly waiting: WaitingRuns;
	readonly #parts: RunServiceParts;
	readonly #live = new Map<string, LiveRun>();
	readonly #ended = new EndedRuns();
	/** Functions that cancel queued runs, by run ID. */
	readonly #waiting = new Map<string, () => void>();
	readonly #pauseListeners = new Set<() => void>();
	#closing = false;

	constructor(parts: RunServiceParts) {
		this.#parts = parts;
		this.waiting = new WaitingRuns(parts.store, (taskId, agent) => this.#ended.add(taskId, agent));
	}

	/** Number of active runs. */
	get active(): number {
		return this.#live.size;
	}

	/** Validates a run and queues it. Throws an error: 400 for invalid inputs, 429 if too many runs are queued. */
	async prepareRun(order: RunOrder): Promise<PreparedRun> {
		const { slots } = this.#parts;
		const engine = await this.#parts.engine();
		const { target, files, trigger } = order;
		// an unknown recording is reported before the run starts
		this.#parts.recordings?.isReplay(order.recording);
		const piece = order.piece && engine.createPartialAgent(target.agent, order.piece);
		// a single node runs without a start node
		const inputs = piece?.alone ? order.inputs : engine.checkInputs(target.agent, order.inputs, files, trigger);
		if (order.mocks) {
			engine.checkMocks(target.agent, order.mocks);
		}
		this.checkUploads('files', files);
		for (const [name, given] of piece?.alone ? [] : engine.getFileInputs(target.agent, inputs, trigger)) {
			this.checkUploads(name, given);
		}
		const slot = slots.enqueueNewRun(target.row.name);
		let started = false;
		const ids = { id: createTimeOrderedId(Date.now()), taskId: randomUUID() };
		return {
			...ids,
			start: async listener => {
				await this.#waitForTurn(ids.id, slot);
				const recording = await this.#parts.recordings?.openRun(ids.id, getRunReplies(order));
				if (this.#closing) {
					throw new ServiceFault(503, localizable`The gateway is stopping and doesn't accept new runs.`);
				}
				const live = this.#createRun(engine, { ...order, inputs }, { ...piece, ...(recording && { recording }) }, ids, slot, listener);
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
	 * Returns a paused run that can be resumed with its answers, which are read when it starts. Starting it throws an error if the run isn't
	 * paused anymore or the store fails.
	 */
	prepareResumedRun(row: PausedRunRow, { request, state }: SavedRun, target: RunnableAgent, slot: RunSlot): PreparedRun {
		let started = false;
		return {
			id: row.id,
			taskId: row.task_id,
			start: async listener => {
				await slot.ready;
				const engine = await this.#parts.engine();
				const { paused, runs } = this.#parts.store;
				if (this.#closing || !paused.get(row.run)) {
					throw new ServiceFault(404, localizable`The run isn't paused anymore.`);
				}
				const answers = Object.fromEntries(
					Object.entries(paused.getAnswers(row.run)).map(([node, answer]) => [node, JSON.parse(answer) as FormAnswer]),
				);
				runs.resumeRun(row.run);
				// treat the run like a streaming one, because a blocking caller already got the pause as its result
				const recording = this.#parts.recordings?.getLevel(request.recording, row.id);
				const resumed: RunRequest = { ...request, mode: 'streaming' };
				started = true;
				return this.#executeRun(
					{
						id: row.id,
						taskId: row.task_id,
						seq: row.run,
						user: row.user,
						target,
						request: resumed,
						slot,
						listener,
						after: runs.getLastEventNumber(row.run),
						...(recording && { more: { recording } }),
					},
					options => engine.resumeRun(target.agent, options, state, answers),
				);
			},
			[Symbol.dispose]() {
				if (!started) {
					slot[Symbol.dispose]();
				}
			},
		};
	}

	/** Returns the active run of a task, if any. */
	getLiveRun(taskId: string): LiveRun | undefined {
		return this.#live.get(taskId);
	}

	/** Calls `listener` after a run has paused. */
	onPause(listener: () => void): void {
		this.#pauseListeners.add(listener);
	}

	/** Ends a run whose form has expired, even if other branches are active. */
	expireRun(seq: number, error: string): void {
		const live = [...this.#live.values()].find(run => run.seq === seq);
		if (live) {
			live.controller.abort(new Error(error));
		} else {
			this.waiting.endRun(seq, 'stopped', error, 'expired');
		}
	}

	/**
	 * Stops a run. Does nothing for a run that has just ended, because a late stop isn't an error (wire facts 1.1). Throws an error for an
	 * unknown task, a run of another user, or a run started in blocking mode.
	 */
	stopTask(agent: number, taskId: string, user: string): void {
		const run = this.#live.get(taskId);
		if (!run || run.agent !== agent) {
			if (this.waiting.stopTask(agent, taskId, user)) {
				return;
			}
			if (this.#ended.has(taskId, agent)) {
				return;
			}
			throw new ServiceFault(404, localizable`Task not found. Expected the task_id of a streaming run of this agent.`);
		}
		checkRunOwner(run.user, user);
		if (run.mode === 'blocking') {
			throw new ServiceFault(400, localizable`Only streaming runs can be stopped. This run was started in blocking mode.`, {
				code: 'bad_request',
			});
		}
		run.controller.abort();
	}

	/** True if a run is active, queued or paused. */
	isUnfinished(id: string): boolean {
		return this.#waiting.has(id) || [...this.#live.values()].some(run => run.id === id) || this.waiting.has(id);
	}

	/** Stops these runs, including queued and paused ones. Resolves once their final states are saved. */
	async stopRuns(ids: readonly string[]): Promise<void> {
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

	/** Starts no more runs and stops the active ones. Resolves once all ends are saved, or after `graceMs`. */
	async shutDown(graceMs: number): Promise<void> {
		this.#closing = true;
		const runs = [...this.#live.values()];
		for (const run of runs) {
			run.controller.abort();
		}
		const ended = Promise.allSettled(runs.map(run => run.done));
		await Promise.race([ended, new Promise(resolve => setTimeout(resolve, graceMs).unref())]);
		this.#parts.recorder.stop();
	}

	/** Resolves when it's this run's turn. Rejects if {@link stopRuns} cancels the run first. */
	async #waitForTurn(id: string, slot: RunSlot): Promise<void> {
		const { promise, reject } = Promise.withResolvers<never>();
		this.#waiting.set(id, () => reject(new ServiceFault(404, 'Conversation Not Exists.')));
		try {
			await Promise.race([slot.ready, promise]);
		} finally {
			this.#waiting.delete(id);
		}
	}

	#createRun(
		engine: Engine,
		order: RunOrder,
		{ agent, ...rest }: Partial<PartialAgent> & Pick<RunOptions, 'recording'>,
		{ id, taskId }: { readonly id: string; readonly taskId: string },
		slot: RunSlot,
		listener: RunListener | undefined,
	): LiveRun {
		const { store } = this.#parts;
		const { target, inputs, user, mode, files, trigger, chat, mocks, attack, cache, gate, parent, recording: use } = order;
		const sequenceNumber = store.agents.takeSequenceNumber(target.row.id);
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
			...(attack && { attack }),
			...(cache !== undefined && { cache }),
			...(use && { recording: use }),
		};
		const request = { sequenceNumber, inputs, files, mode, ...asked };
		const more = { ...rest, ...(gate && { gate }), ...(parent && { parent }) };
		return this.#executeRun({ id, taskId, seq, user, target, request, slot, listener, after: 0, more }, options =>
			engine.run(agent ?? target.agent, options),
		);
	}

	/** Executes a run until it ends or pauses. */
	#executeRun(begin: RunBegin, run: (options: RunOptions) => Promise<RunOutcome>): LiveRun {
		const live = startLiveRun(begin, run, this.#parts, waits => this.#onEnd(live, begin.slot, waits));
		this.#live.set(live.taskId, live);
		this.waiting.notifyChange(live.seq);
		return live;
	}

	#onEnd(run: LiveRun, slot: RunSlot, waits: boolean): void {
		slot[Symbol.dispose]();
		this.#live.delete(run.taskId);
		this.#ended.add(run.taskId, run.agent);
		if (!waits) {
			this.#parts.recordings?.endRun(run.id);
		}
		this.#parts.store.search.scheduleIndexing();
		for (const listener of waits ? this.#pauseListeners : []) {
			listener();
		}
	}

	/** Throws an error (400) for a file that was never uploaded. */
	checkUploads(field: string, files: readonly FileObject[]): void {
		// look up each upload once, because a request can contain it very often
		for (const id of new Set(files.map(file => (file.transfer_method === 'local_file' ? file.upload_file_id : undefined)))) {
			if (id !== undefined && !this.#parts.store.uploads.get(id)) {
				throw new ServiceFault(400, localizable`Invalid upload file: upload_file_id isn't the ID of an uploaded file.`, { params: field });
			}
		}
	}
}
