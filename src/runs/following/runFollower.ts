import { getErrorReason } from '#base/problems.ts';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import { isEvent, type WorkflowEvent } from '#contract/events.ts';
import { type RunData, stoppedByUser, type WorkflowRunDetail, type WorkflowRunRequest } from '#contract/workflows.ts';
import { isRunPaused } from '../runStatus.ts';
import type { RunRecord } from '../runTypes.ts';
import { type DetailPoll, parseOutputs, pollDetail, waitForDelay } from './detailPoll.ts';
import { isReplayedEvent, ReplayedEvents } from './replayedEvents.ts';
import { getFailureStatus, translateErrorClause } from './runFailure.ts';
import type { FollowedService, KeptOfRun, RunFollowerParts } from './runFollowerParts.ts';
import { RunReport, runNotes } from './runReport.ts';

/** Milliseconds that a stream may take to deliver its last events after the run's detail says that it is over. */
const streamGraceMs = 2000;

/**
 * Follows one run from its request until it ends or pauses. Stopping aborts nothing: it calls the stop endpoint as soon as the task's ID is
 * known, and the run counts as ended when its stream or its detail says so.
 */
export class RunFollower {
	readonly #parts: RunFollowerParts;
	readonly #t: Translate;
	readonly #report: RunReport;
	readonly #wait: typeof waitForDelay;
	/** Closes the connection; only for an abandoned blocking run, or a stream that outlives its run. */
	readonly #connection = new AbortController();
	readonly #ended = new AbortController();
	#model = '';
	#user = '';
	#blocking = false;
	#taskId: string | undefined;
	#runId: string | undefined;
	#stopWanted = false;
	#stopSent = false;
	#terminal = false;
	/** True if the last known state was paused. */
	#paused = false;
	/** Number of events received, except pings and text chunks, which services don't replay. */
	#events = 0;

	constructor(parts: RunFollowerParts) {
		this.#parts = parts;
		this.#t = parts.t ?? fillPlaceholders;
		this.#report = new RunReport(parts.observer, this.#t);
		this.#wait = parts.wait ?? waitForDelay;
	}

	/** Sends the request and follows the run to its end. Never rejects: errors are reported to the observer. */
	async start(request: WorkflowRunRequest): Promise<void> {
		this.#model = request.model;
		this.#user = request.user;
		this.#blocking = request.response_mode === 'blocking';
		try {
			const service = await this.#parts.connect({ ask: true });
			await (this.#blocking ? this.#runBlocking(service, request) : this.#runStreaming(service, request));
		} catch (error) {
			this.#reportFailure(error);
		} finally {
			this.#ended.abort();
		}
	}

	/** Resumes following a run that was active or paused when its window closed. `kept`: facts from its journal. */
	async resumeFollowing(record: RunRecord, kept: KeptOfRun): Promise<void> {
		this.#model = record.agent;
		this.#user = record.user;
		this.#runId = record.runId;
		this.#taskId = record.taskId;
		this.#events = kept.events;
		this.#report.continueFrom(kept);
		this.#paused = isRunPaused(record);
		this.#report.addNote(this.#paused ? runNotes.maybeContinued : runNotes.stillActive);
		await this.#recoverRun();
		this.#ended.abort();
	}

	/** Requests a stop. A blocking run can't be stopped and is abandoned. After a refusal, call again to retry. */
	stop(): void {
		if (this.#ended.signal.aborted || this.#stopWanted) {
			return;
		}
		this.#stopWanted = true;
		if (this.#blocking) {
			this.#connection.abort();
			return;
		}
		this.#parts.observer.changeRecord({ status: 'stopping' });
		if (this.#taskId === undefined) {
			this.#report.addNote(runNotes.stopPending);
		}
		void this.#sendStopRequest();
	}

	/** Stops following without stopping the run, because the window is closing. Reports nothing more. */
	stopFollowing(): void {
		this.#ended.abort();
		this.#connection.abort();
	}

	async #runStreaming(service: FollowedService, request: WorkflowRunRequest): Promise<void> {
		const options = { signal: this.#connection.signal };
		let failure: unknown;
		try {
			for await (const event of this.#parts.stream?.(request, options) ?? service.streamWorkflow(request, options)) {
				this.#onEvent(event);
			}
		} catch (error) {
			failure = error;
		}
		if (this.#terminal) {
			return;
		}
		if (this.#runId === undefined) {
			const t = this.#t;
			throw failure ?? new Error(t('The stream ended before its first event.'));
		}
		this.#report.addNote(failure ? runNotes.streamFailed : runNotes.streamEnded, failure);
		await this.#recoverRun();
	}

	async #runBlocking(service: FollowedService, request: WorkflowRunRequest): Promise<void> {
		if (!service.runWorkflow) {
			const t = this.#t;
			throw new Error(t('Dify drafts can only run with "response_mode": "streaming". Nothing was sent.'));
		}
		this.#parts.observer.changeRecord({ status: 'running' });
		try {
			const response = await service.runWorkflow(request, { signal: this.#connection.signal });
			this.#parts.observer.changeRecord({ runId: response.workflow_run_id, taskId: response.task_id });
			this.#report.addEntry({ at: Date.now(), detail: response });
			this.#reportRunEnd(response.data);
		} catch (error) {
			if (!this.#stopWanted) {
				throw error;
			}
			this.#report.addNote(runNotes.abandoned);
			this.#terminal = true;
			this.#parts.observer.changeRecord({ status: 'abandoned' });
		}
	}

	#onEvent(event: WorkflowEvent): void {
		if (isReplayedEvent(event)) {
			this.#events++;
		}
		const { workflow_run_id: runId, task_id: taskId } = event as Partial<Record<'workflow_run_id' | 'task_id', unknown>>;
		if (this.#runId === undefined && typeof runId === 'string' && runId !== '') {
			this.#runId = runId;
			this.#parts.observer.changeRecord({ runId, ...(this.#stopWanted ? {} : { status: 'running' }) });
		}
		if (this.#taskId === undefined && typeof taskId === 'string' && taskId !== '') {
			this.#taskId = taskId;
			this.#parts.observer.changeRecord({ taskId });
			void this.#sendStopRequest();
		}
		if (this.#paused && event.event !== 'ping') {
			this.#paused = false;
			this.#parts.observer.changeRecord({ status: this.#stopWanted ? 'stopping' : 'running' });
		}
		this.#report.addEntry({ at: Date.now(), event });
		if (isEvent(event, 'node_started')) {
			this.#parts.observer.changeRecord({ node: { title: event.data.title, index: event.data.index }, events: this.#events });
		} else if (isEvent(event, 'workflow_finished')) {
			this.#reportRunEnd(event.data);
		} else if (isEvent(event, 'error')) {
			this.#terminal = true;
			this.#parts.observer.changeRecord({ status: 'failed', error: `${event.code}: ${event.message}`, events: this.#events });
		} else if (event.event === 'workflow_paused') {
			this.#terminal = true;
			this.#paused = true;
			this.#parts.observer.changeRecord({ status: 'paused', events: this.#events });
		}
	}

	async #sendStopRequest(): Promise<void> {
		if (!this.#stopWanted || this.#stopSent || this.#taskId === undefined) {
			return;
		}
		this.#stopSent = true;
		try {
			const service = await this.#parts.connect({ ask: true });
			await service.stopRun(this.#taskId, { model: this.#model, user: this.#user });
		} catch (error) {
			this.#stopSent = false;
			this.#stopWanted = false;
			if (!this.#ended.signal.aborted) {
				this.#report.addNote(runNotes.stopRefused, error);
				this.#parts.observer.changeRecord({ status: 'running' });
			}
			return;
		}
		if (!this.#ended.signal.aborted) {
			this.#report.addNote(runNotes.stopAccepted);
			await this.#confirmStop();
		}
	}

	/** Waits until the run's own state confirms a stop, because services may respond "success" and continue the run (wire facts 1.1). */
	async #confirmStop(): Promise<void> {
		const outcome = await this.#pollDetail();
		if (outcome?.kind !== 'finished' || this.#terminal) {
			return;
		}
		await this.#wait(streamGraceMs, this.#ended.signal);
		if (!this.#terminal) {
			this.#applyDetail(outcome.detail);
			this.#connection.abort();
		}
	}

	/** Reads the run's events again if the service can replay them; otherwise waits for its detail. */
	async #recoverRun(): Promise<void> {
		if (!(await this.#readMissingEvents())) {
			await this.#awaitDetail();
		}
	}

	/** Reads the missing events. Returns true if they include the run's end or a pause. */
	async #readMissingEvents(): Promise<boolean> {
		const replayed = new ReplayedEvents(this.#events);
		try {
			const service = await this.#parts.connect({ ask: false });
			const options = { signal: this.#connection.signal };
			for await (const event of service.followRun(this.#runId ?? '', { model: this.#model, user: this.#user }, options)) {
				if (replayed.isNewEvent(event)) {
					this.#onEvent(event);
				}
			}
		} catch {
			// most services can't replay a run, but its detail has the rest
		}
		return this.#terminal;
	}

	async #awaitDetail(): Promise<void> {
		const outcome = await this.#pollDetail();
		if (this.#terminal) {
			return;
		}
		if (outcome?.kind === 'finished') {
			if (!(await this.#readMissingEvents())) {
				this.#applyDetail(outcome.detail);
			}
		} else if (outcome?.kind !== 'called-off') {
			const t = this.#t;
			const error = outcome?.kind === 'unreachable' ? outcome.error : new Error(t("The service didn't report the ID of the run."));
			this.#report.addNote(runNotes.unknownEnd, error);
			const isForgotten = getErrorReason(error) === 'not-found';
			this.#parts.observer.changeRecord({
				status: 'lost',
				error: translateErrorClause(error, t),
				events: this.#events,
				...(isForgotten && { forgotten: true }),
			});
		}
	}

	/** Polls the run's detail until the run is over; `undefined` if its ID is unknown. */
	async #pollDetail(): Promise<DetailPoll | undefined> {
		const [runId, { signal }] = [this.#runId, this.#ended];
		const fetch = async () => (await this.#parts.connect({ ask: false })).getRun(runId ?? '', { model: this.#model });
		const onTrouble = (error: unknown) => this.#report.addNote(runNotes.lookupFailed, error);
		return runId === undefined ? undefined : pollDetail({ fetch, onTrouble, wait: this.#wait, signal });
	}

	#applyDetail(detail: WorkflowRunDetail): void {
		this.#report.addEntry({ at: Date.now(), detail });
		this.#reportRunEnd({ ...detail, outputs: parseOutputs(detail) });
	}

	#reportRunEnd(data: Pick<RunData, 'status' | 'outputs' | 'error' | 'elapsed_time' | 'total_tokens' | 'total_steps'>): void {
		this.#terminal = true;
		this.#paused = isRunPaused(data);
		if (this.#paused && data.error) {
			// the reason of a pause isn't an error
			this.#report.addNote(runNotes.cause, data.error);
		}
		this.#parts.observer.changeRecord({
			status: data.status,
			...(this.#paused ? {} : { outputs: data.outputs }),
			elapsedSeconds: data.elapsed_time,
			totalTokens: data.total_tokens,
			totalSteps: Number(data.total_steps),
			events: this.#events,
			// the status already says that the run was stopped
			...(data.error && !this.#paused && data.error !== stoppedByUser ? { error: data.error } : {}),
		});
	}

	#reportFailure(error: unknown): void {
		this.#report.addNote(runNotes.cause, error);
		this.#parts.observer.onFailed?.(error);
		this.#parts.observer.changeRecord({
			status: getFailureStatus(error),
			error: translateErrorClause(error, this.#t),
			events: this.#events,
		});
	}
}
