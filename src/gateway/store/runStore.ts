import type { Database } from './database.ts';
import { RunCounts } from './runCounts.ts';

/** A run as it is first written. Times are Unix milliseconds, JSON texts are the contract's objects. */
export interface NewRun {
	readonly id: string;
	readonly taskId: string;
	/** Row ID of the agent. */
	readonly agent: number;
	/** Whether the log list shows it: runs of drafts are not listed. */
	readonly listed: boolean;
	readonly workflowId: string;
	readonly user: string;
	readonly inputs: string;
	readonly createdAt: number;
}

/** How a run ended. */
export interface RunEnd {
	readonly status: string;
	readonly outputs: string | null;
	readonly error: string | null;
	/** Seconds. */
	readonly elapsedTime: number;
	readonly totalTokens: number;
	readonly totalSteps: number;
	readonly exceptionsCount: number;
	readonly finishedAt: number;
}

/** A run's row; `version` is that of its workflow, absent for a draft. */
export interface RunRow {
	readonly seq: number;
	readonly id: string;
	readonly status: string;
	readonly created_at: number;
	readonly finished_at: number | null;
	readonly elapsed_time: number;
	readonly total_tokens: number;
	readonly total_steps: number;
	readonly exceptions_count: number;
	readonly workflow_id: string;
	readonly task_id: string;
	readonly user: string;
	readonly error: string | null;
	readonly version: string | null;
}

/** A run with what went in and came out, as JSON texts. */
export interface RunDetailRow extends RunRow {
	readonly inputs: string;
	readonly outputs: string | null;
}

const columns = `seq, id, status, created_at, finished_at, elapsed_time, total_tokens, total_steps, exceptions_count, runs.workflow_id AS workflow_id, task_id, user,
	error, (SELECT version FROM versions WHERE versions.workflow_id = runs.workflow_id) AS version`;

/** Runs and their events. */
export class RunStore {
	readonly #db: Database;
	readonly #counts: RunCounts;

	constructor(db: Database) {
		this.#db = db;
		this.#counts = new RunCounts(db);
	}

	/** Writes a run that starts now; returns its row ID. */
	start(run: NewRun): number {
		return this.#db.transaction(() => {
			const { rowId } = this.#db.run(
				`INSERT INTO runs (id, agent, listed, status, created_at, workflow_id, task_id, user, inputs) VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?)`,
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
				this.#counts.add(run.agent, undefined, rowId, 1);
				this.#counts.add(run.agent, 'running', rowId, 1);
			}
			return rowId;
		});
	}

	/** Writes events of runs, numbered by the caller from 1 in each run, in one transaction. */
	addEvents(events: readonly RunEventRow[]): void {
		this.#db.transaction(() => this.#insertEvents(events));
	}

	/** Writes a run's end, with the events that were not written yet, in one transaction: once this returns, a crash cannot undo it. */
	finish(seq: number, end: RunEnd, events: readonly RunEventRow[] = []): void {
		this.#db.transaction(() => {
			this.#insertEvents(events);
			this.#end(seq, end);
		});
	}

	/**
	 * Ends the runs that the last process left running: they failed, "interrupted". Returns how many there were. To be called before the first run
	 * starts.
	 */
	interruptUnfinished(now: number): number {
		return this.#db.transaction(() => {
			const rows = this.#db.all<{ seq: number }>('SELECT seq FROM runs WHERE finished_at IS NULL');
			for (const { seq } of rows) {
				this.#end(seq, {
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

	/** A run of an agent, listed or not. */
	detail(agent: number, id: string): RunDetailRow | undefined {
		return this.#db.get(`SELECT ${columns}, inputs, outputs FROM runs WHERE id = ? AND agent = ?`, id, agent);
	}

	/** Events of a run as JSON texts, in order. */
	events(seq: number): readonly string[] {
		return this.#db
			.all<{ event: string }>('SELECT event FROM run_events WHERE id BETWEEN ? AND ? ORDER BY id', eventId(seq, 0), eventId(seq, maxEvents))
			.map(({ event }) => event);
	}

	/** Number of listed runs, of one status or of all. */
	count(agent: number, status?: string): number {
		return this.#counts.total(agent, status);
	}

	/** Listed runs, newest first: `limit` of them after the first `offset`, of one status or of all. */
	page(agent: number, status: string | undefined, offset: number, limit: number): readonly RunRow[] {
		const { upTo, skip } = this.#counts.locate(agent, status, offset);
		const filter = status === undefined ? 'agent = ?' : 'agent = ? AND status = ?';
		const seqs = this.#db.all<{ seq: number }>(
			`SELECT seq FROM runs WHERE ${filter} AND listed = 1 AND seq <= ? ORDER BY seq DESC LIMIT ? OFFSET ?`,
			...(status === undefined ? [agent] : [agent, status]),
			upTo,
			limit,
			skip,
		);
		return this.rows(seqs.map(({ seq }) => seq));
	}

	/** Runs by their row IDs, newest first. */
	rows(seqs: readonly number[]): readonly RunRow[] {
		return this.#db.all(
			`SELECT ${columns} FROM runs WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq DESC`,
			JSON.stringify(seqs),
		);
	}

	#insertEvents(events: readonly RunEventRow[]): void {
		for (const { run, number, event } of events) {
			this.#db.run('INSERT OR REPLACE INTO run_events (id, event) VALUES (?, ?)', eventId(run, number), event);
		}
	}

	#end(seq: number, end: RunEnd): void {
		const row = this.#db.get<{ agent: number; listed: number }>(
			`UPDATE runs SET status = ?, outputs = ?, error = ?, elapsed_time = ?, total_tokens = ?, total_steps = ?, exceptions_count = ?, finished_at = ?
			WHERE seq = ? AND finished_at IS NULL RETURNING agent, listed`,
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
		if (row?.listed) {
			this.#counts.add(row.agent, 'running', seq, -1);
			this.#counts.add(row.agent, end.status, seq, 1);
			this.#db.run('INSERT INTO run_search_queue (run) VALUES (?)', seq);
		}
	}
}

/** An event of a run as it was sent: `run` is the run's row ID, `event` JSON. */
export interface RunEventRow {
	readonly run: number;
	readonly number: number;
	readonly event: string;
}

/** Events that are kept of one run; of more, the last one stands for those after it. */
const maxEvents = 2 ** 20 - 1;

/** One number for run and event keeps the events of a run together without an index of their own. */
export function eventId(run: number, number: number): number {
	return run * 2 ** 20 + Math.min(number, maxEvents);
}
