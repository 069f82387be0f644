import type { Database } from './database.ts';
import { getEventRowId, maxEvents } from './eventIds.ts';
import type { PausedRunStore } from './pausedRunStore.ts';
import { RunCounts } from './runCounts.ts';
import type { EventPage, NewRun, RunDetailRow, RunEnd, RunEventRow, RunPause, RunPlace, RunRow } from './runRows.ts';
import { findFirstRunSince } from './runTimes.ts';
import type { RowSpan } from './search/searchIndex.ts';

const columns = `seq, agent, id, status, created_at, finished_at, elapsed_time, total_tokens, total_steps, exceptions_count, runs.workflow_id AS workflow_id, task_id, user,
	error, (SELECT version FROM versions WHERE versions.workflow_id = runs.workflow_id) AS version`;

/** Runs and their events. */
export class RunStore {
	readonly #db: Database;
	readonly #counts: RunCounts;
	readonly #paused: PausedRunStore;
	#lastSeq: number;
	/** Ends that couldn't be saved yet, by row ID. Such runs are already reported as ended. */
	readonly #unsettled = new Map<number, RunEnd>();

	constructor(db: Database, paused: PausedRunStore) {
		this.#db = db;
		this.#paused = paused;
		this.#counts = new RunCounts(db);
		// a row ID must not be reused as long as the search index may contain its run
		this.#lastSeq =
			db.get<{ last: number | null }>(
				'SELECT max(last) AS last FROM (SELECT max(seq) AS last FROM runs UNION ALL SELECT max(run) FROM run_search_queue)',
			)?.last ?? 0;
	}

	/** Saves a new run, and returns its row ID. */
	start(run: NewRun): number {
		return this.#db.runTransaction(() => {
			const seq = ++this.#lastSeq;
			this.#db.run(
				`INSERT INTO runs (seq, id, agent, listed, status, created_at, workflow_id, task_id, user, inputs) VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?)`,
				seq,
				run.id,
				run.agent,
				run.listed ? 1 : 0,
				run.createdAt,
				run.workflowId,
				run.taskId,
				run.user,
				run.inputs,
			);
			if (run.listed) {
				this.#counts.add(run.agent, undefined, seq, 1);
				this.#counts.add(run.agent, 'running', seq, 1);
			}
			return seq;
		});
	}

	/** Saves events in one transaction. The caller numbers them from 1 in each run. */
	addEvents(events: readonly RunEventRow[]): void {
		this.#db.runTransaction(() => this.#insertEvents(events));
	}

	/**
	 * Saves a run's end with its unsaved events in one transaction, durably once this returns. The run's open forms are deleted or marked as
	 * expired.
	 */
	finishRun(seq: number, end: RunEnd, events: readonly RunEventRow[] = [], forms: 'gone' | 'expired' = 'gone'): void {
		this.#db.runTransaction(() => {
			this.#insertEvents(events);
			if (forms === 'expired') {
				this.#paused.expireForms(seq);
			}
			this.#writeRunEnd(seq, end);
		});
		this.#unsettled.delete(seq);
	}

	/** Saves that a run is paused, with its unsaved events, in one transaction. */
	pauseRun(seq: number, pause: RunPause, events: readonly RunEventRow[]): void {
		this.#db.runTransaction(() => {
			this.#insertEvents(events);
			this.#db.run(
				'UPDATE runs SET outputs = ?, elapsed_time = ?, total_tokens = ?, total_steps = ?, exceptions_count = ? WHERE seq = ?',
				pause.outputs,
				pause.elapsedTime,
				pause.totalTokens,
				pause.totalSteps,
				pause.exceptionsCount,
				seq,
			);
			this.#paused.add(seq, pause.taskId, pause, pause.forms);
			this.#setStatus(seq, 'paused');
		});
	}

	/** Saves why a paused run can't resume yet. The message is shown until it resumes. */
	setPauseReason(seq: number, why: string): void {
		this.#db.run("UPDATE runs SET error = ? WHERE seq = ? AND status = 'paused'", why, seq);
	}

	/** Saves that a run has resumed. Its answers count as used from now on. */
	resumeRun(seq: number): void {
		this.#db.runTransaction(() => {
			this.#paused.releaseRun(seq);
			this.#setStatus(seq, 'running');
		});
	}

	/** Records the end of a run that the store can't save now. It's already reported, and {@link finishRun} is retried later. */
	setUnsettledEnd(seq: number, end: RunEnd): void {
		this.#unsettled.set(seq, end);
	}

	/**
	 * Marks the runs that the previous process left running as failed ("interrupted"). Paused runs stay paused. Returns their number. Must be
	 * called before the first run starts.
	 */
	interruptUnfinished(now: number): number {
		return this.#db.runTransaction(() => {
			const rows = this.#db.getRows<{ seq: number }>("SELECT seq FROM runs WHERE finished_at IS NULL AND status <> 'paused'");
			for (const { seq } of rows) {
				this.#writeRunEnd(seq, {
					status: 'failed',
					outputs: null,
					error: 'interrupted: the service ended before the run did',
					elapsedTime: 0,
					totalTokens: 0,
					totalSteps: 0,
					exceptionsCount: 0,
					finishedAt: now,
				});
			}
			return rows.length;
		});
	}

	/** Returns a run of an agent, even if it isn't listed. */
	getRunDetail(agent: number, id: string): RunDetailRow | undefined {
		const row = this.#db.get<RunDetailRow>(`SELECT ${columns}, inputs, outputs FROM runs WHERE id = ? AND agent = ?`, id, agent);
		return row && this.#applyUnsettledEnd(row);
	}

	/** Returns the events of a run as JSON texts, in order. */
	getEvents(seq: number): readonly string[] {
		return this.#db
			.getRows<{ event: string }>(
				'SELECT event FROM run_events WHERE id BETWEEN ? AND ? ORDER BY id',
				getEventRowId(seq, 0),
				getEventRowId(seq, maxEvents),
			)
			.map(({ event }) => event);
	}

	/**
	 * Returns the next events of a run as JSON texts, in order, starting after number `after` (0 for the start). Returns up to a total of
	 * `length` characters, or a single longer event, or nothing if there are no more events for now. A run's events can have hundreds of
	 * megabytes, so readers request one page at a time and pass the previous page's `last` as `after`.
	 */
	getEventPage(seq: number, after: number, length = pageLength): EventPage {
		const events: string[] = [];
		let last = after;
		let left = length;
		const rows = this.#db.iterateRows<{ id: number; event: string }>(
			'SELECT id, event FROM run_events WHERE id BETWEEN ? AND ? ORDER BY id',
			getEventRowId(seq, after + 1),
			getEventRowId(seq, maxEvents),
		);
		for (const { id, event } of after < maxEvents ? rows : []) {
			if (events.length > 0 && event.length > left) {
				break;
			}
			left -= event.length;
			events.push(event);
			last = id - getEventRowId(seq, 0);
		}
		return { events, last };
	}

	/** Returns the number of a run's last event; 0 if it has none. */
	getLastEventNumber(seq: number): number {
		const row = this.#db.get<{ id: number | null }>(
			'SELECT max(id) AS id FROM run_events WHERE id BETWEEN ? AND ?',
			getEventRowId(seq, 0),
			getEventRowId(seq, maxEvents),
		);
		return row?.id == null ? 0 : row.id - getEventRowId(seq, 0);
	}

	/** Returns the numbers of the last two pause events of a run, newest first. */
	getLastPauses(seq: number): readonly number[] {
		return this.#db
			.getRows<{ id: number }>(
				`SELECT id FROM run_events WHERE id BETWEEN ? AND ? AND event GLOB '{"event":"workflow_paused"*' ORDER BY id DESC LIMIT 2`,
				getEventRowId(seq, 0),
				getEventRowId(seq, maxEvents),
			)
			.map(({ id }) => id - getEventRowId(seq, 0));
	}

	/** Returns the run's `variable_set` events as JSON texts, in order. */
	getSetVariables(seq: number): readonly string[] {
		return this.#db
			.getRows<{ event: string }>(
				`SELECT event FROM run_events WHERE id BETWEEN ? AND ? AND event GLOB '{"event":"variable_set"*' ORDER BY id`,
				getEventRowId(seq, 0),
				getEventRowId(seq, maxEvents),
			)
			.map(({ event }) => event);
	}

	/** Returns the number of listed runs, optionally only of one status or in a span. */
	countRuns(agent: number, status?: string, span?: RowSpan): number {
		return span === undefined
			? this.#counts.getTotal(agent, status)
			: Math.max(0, this.#counts.countNewerRuns(agent, status, span.first - 1) - this.#counts.countNewerRuns(agent, status, span.last));
	}

	/** Returns `limit` listed runs after the first `offset`, newest first, optionally only of one status or in a span. */
	getRunPage(agent: number, status: string | undefined, offset: number, limit: number, span?: RowSpan): readonly RunRow[] {
		const newer = span === undefined ? 0 : this.#counts.countNewerRuns(agent, status, span.last);
		const { upTo, skip } = this.#counts.findPageStart(agent, status, newer + offset);
		const filter = status === undefined ? 'agent = ?' : 'agent = ? AND status = ?';
		const seqs = this.#db.getRows<{ seq: number }>(
			`SELECT seq FROM runs WHERE ${filter} AND listed = 1 AND seq <= ? AND seq >= ? ORDER BY seq DESC LIMIT ? OFFSET ?`,
			...(status === undefined ? [agent] : [agent, status]),
			upTo,
			span?.first ?? 0,
			limit,
			skip,
		);
		return this.getRows(seqs.map(({ seq }) => seq));
	}

	/**
	 * Returns the row IDs of runs that started between two times, both included, in Unix milliseconds. Runs are numbered in the order of their
	 * start, so the limits are inexact if the clock was set back in between.
	 */
	findRowSpan(after: number | undefined, before: number | undefined): RowSpan {
		return {
			first: after === undefined ? 0 : findFirstRunSince(this.#db, this.#lastSeq, after),
			last: before === undefined ? Number.MAX_SAFE_INTEGER : findFirstRunSince(this.#db, this.#lastSeq, before + 1) - 1,
		};
	}

	/** Returns runs by their row IDs, newest first. */
	getRows(seqs: readonly number[]): readonly RunRow[] {
		const sql = `SELECT ${columns} FROM runs WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`;
		return this.#db.getRows<RunRow>(sql, JSON.stringify(seqs)).map(row => this.#applyUnsettledEnd(row));
	}

	#applyUnsettledEnd<T extends RunRow>(row: T): T {
		const end = this.#unsettled.get(row.seq);
		return end ? { ...row, status: end.status, error: end.error, finished_at: end.finishedAt } : row;
	}

	#insertEvents(events: readonly RunEventRow[]): void {
		for (const { run, number, event } of events) {
			this.#db.run('INSERT OR REPLACE INTO run_events (id, event) VALUES (?, ?)', getEventRowId(run, number), event);
		}
	}

	#writeRunEnd(seq: number, end: RunEnd): void {
		const before = this.#db.get<RunPlace>('SELECT agent, listed, status FROM runs WHERE seq = ? AND finished_at IS NULL', seq);
		if (!before) {
			return;
		}
		this.#db.run(
			'UPDATE runs SET status = ?, outputs = ?, error = ?, elapsed_time = ?, total_tokens = ?, total_steps = ?, exceptions_count = ?, finished_at = ? WHERE seq = ?',
			end.status,
			end.outputs,
			end.error,
			end.elapsedTime,
			end.totalTokens,
			end.totalSteps,
			end.exceptionsCount,
			end.finishedAt,
			seq,
		);
		this.#paused.delete(seq, before.status === 'paused' ? { error: end.status === 'failed' ? end.error : null } : undefined);
		this.#recountRun(seq, before, end.status);
	}

	/** Changes the status of a run that hasn't ended. */
	#setStatus(seq: number, status: 'running' | 'paused'): void {
		const before = this.#db.get<RunPlace>('SELECT agent, listed, status FROM runs WHERE seq = ?', seq);
		if (before) {
			this.#db.run('UPDATE runs SET status = ?, error = NULL WHERE seq = ?', status, seq);
			this.#recountRun(seq, before, status);
		}
	}

	#recountRun(seq: number, before: RunPlace, status: string): void {
		if (before.listed) {
			this.#counts.add(before.agent, before.status, seq, -1);
			this.#counts.add(before.agent, status, seq, 1);
			this.#db.run('INSERT OR IGNORE INTO run_search_queue (run) VALUES (?)', seq);
		}
	}
}

/** Maximum characters in a page of events. */
const pageLength = 1_048_576;
