import type { Database } from './database.ts';

/** A form that a run waits for, or has waited for. Times are Unix milliseconds, `form` and `answer` JSON. */
export interface FormRow {
	readonly token: string;
	/** Row ID of the run. */
	readonly run: number;
	readonly id: string;
	/** Node that asked for it. */
	readonly node: string;
	readonly status: FormStatus;
	readonly asked_at: number;
	readonly expires_at: number;
	readonly form: string;
	readonly answer: string | null;
}
type FormStatus = 'waiting' | 'submitted' | 'expired';

/** A form as it is first written. */
export type NewForm = Omit<FormRow, 'run' | 'status' | 'answer'>;

/** What is kept of a run that waits, as JSON texts: what it was asked for, the text of a draft (null: its published version), and its state. */
export interface PausedRunTexts {
	readonly request: string;
	readonly source: string | null;
	readonly state: string;
}

/** A run that waits, with what its agent is called. */
export interface PausedRunRow extends PausedRunTexts {
	readonly run: number;
	readonly id: string;
	readonly task_id: string;
	readonly user: string;
	readonly workflow_id: string;
	/** Row ID of the agent. */
	readonly agent: number;
	readonly agent_name: string;
	readonly app_id: string;
	readonly listed: number;
}

const formColumns = 'token, forms.run AS run, forms.id AS id, node, forms.status AS status, asked_at, expires_at, form, answer';
/** Forms looked at in one go. */
const step = 200;

/** Runs that wait for a person, and their forms. */
export class PausedRunStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Keeps a run that waits for these forms; those that are there already stay as they are. To be called within a transaction. */
	keep(run: number, taskId: string, texts: PausedRunTexts, forms: readonly NewForm[]): void {
		this.#db.run(
			'INSERT INTO paused_runs (run, task_id, request, source, state) VALUES (?, ?, ?, ?, ?)',
			run,
			taskId,
			texts.request,
			texts.source,
			texts.state,
		);
		for (const { token, id, node, asked_at, expires_at, form } of forms) {
			this.#db.run(
				`INSERT INTO forms (token, run, id, node, status, asked_at, expires_at, form) VALUES (?, ?, ?, ?, 'waiting', ?, ?, ?) ON CONFLICT DO NOTHING`,
				token,
				run,
				id,
				node,
				asked_at,
				expires_at,
				form,
			);
		}
	}

	/** The run goes on with the answers it has. To be called within a transaction. */
	release(run: number): void {
		this.#db.run('DELETE FROM paused_runs WHERE run = ?', run);
		this.#db.run("UPDATE forms SET applied = 1 WHERE run = ? AND status <> 'waiting'", run);
		this.#moveTurn(run, 'running', null);
	}

	/**
	 * The run has ended: nobody is asked any more, and if it ended while it waited, with this error or without, so has the turn that it belongs to. To be
	 * called within a transaction.
	 */
	drop(run: number, waited: { readonly error: string | null } | undefined): void {
		if (waited) {
			this.#moveTurn(run, waited.error === null ? 'normal' : 'error', waited.error);
		}
		this.#db.run('DELETE FROM paused_runs WHERE run = ?', run);
		this.#db.run("DELETE FROM forms WHERE run = ? AND status = 'waiting'", run);
	}

	/** Nobody has answered for as long as a run may wait. To be called within a transaction. */
	expire(run: number): void {
		this.#db.run("UPDATE forms SET status = 'expired', applied = 1 WHERE run = ? AND status = 'waiting'", run);
	}

	/** A form, whether it waits or not. */
	form(token: string): FormRow | undefined {
		return this.#db.get(`SELECT ${formColumns} FROM forms WHERE token = ?`, token);
	}

	/** Row ID of the agent whose run asked for a form. */
	agentOf({ run }: FormRow): number | undefined {
		return this.#db.get<{ agent: number }>('SELECT agent FROM runs WHERE seq = ?', run)?.agent;
	}

	/** Writes what became of a form that waits; once this returns, a crash cannot undo it. @returns false: it does not wait any more */
	answer(token: string, status: Exclude<FormStatus, 'waiting'>, answer: string): boolean {
		return (
			this.#db.run("UPDATE forms SET status = ?, answer = ? WHERE token = ? AND status = 'waiting'", status, answer, token).changes > 0
		);
	}

	/** Answers that a run has not gone on with yet, as JSON by node. */
	answers(run: number): Readonly<Record<string, string>> {
		const rows = this.#db.all<{ node: string; answer: string }>(
			"SELECT node, answer FROM forms WHERE run = ? AND status <> 'waiting' AND applied = 0",
			run,
		);
		return Object.fromEntries(rows.map(({ node, answer }) => [node, answer]));
	}

	get(run: number): PausedRunRow | undefined {
		return this.#db.get(
			`SELECT run, runs.id AS id, paused_runs.task_id AS task_id, user, runs.workflow_id AS workflow_id, agent, name AS agent_name, app_id, listed,
			request, source, state FROM paused_runs JOIN runs ON runs.seq = run JOIN agents ON agents.id = runs.agent WHERE run = ?`,
			run,
		);
	}

	/** Row ID of the run of a task that waits. */
	byTask(taskId: string): number | undefined {
		return this.#db.get<{ run: number }>('SELECT run FROM paused_runs WHERE task_id = ?', taskId)?.run;
	}

	/** Row ID of a run that waits, by its ID. */
	byRun(id: string): number | undefined {
		return this.#db.get<{ run: number }>('SELECT run FROM runs JOIN paused_runs ON run = seq WHERE runs.id = ?', id)?.run;
	}

	/** Number of runs that wait. */
	count(): number {
		return this.#db.get<{ count: number }>('SELECT count(*) AS count FROM paused_runs')?.count ?? 0;
	}

	/** Row IDs of runs that wait and have an answer to go on with, oldest first. */
	answered(): readonly number[] {
		return this.#db
			.all<{ run: number }>(
				`SELECT DISTINCT forms.run AS run FROM forms JOIN paused_runs ON paused_runs.run = forms.run
				WHERE forms.status <> 'waiting' AND applied = 0 ORDER BY forms.run`,
			)
			.map(({ run }) => run);
	}

	/** When the last of a run's forms that it has not gone on with was asked for. */
	lastAsked(run: number): number | undefined {
		return (
			this.#db.get<{ time: number | null }>('SELECT max(asked_at) AS time FROM forms WHERE run = ? AND applied = 0', run)?.time ?? undefined
		);
	}

	/** Some of the forms that wait and whose own time is up. */
	expired(now: number): readonly FormRow[] {
		return this.#db.all(
			`SELECT ${formColumns} FROM forms WHERE status = 'waiting' AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
			now,
			step,
		);
	}

	/** Some of the forms that wait and were asked for by this time. */
	askedBy(time: number): readonly FormRow[] {
		return this.#db.all(
			`SELECT ${formColumns} FROM forms WHERE status = 'waiting' AND asked_at <= ? ORDER BY asked_at LIMIT ?`,
			time,
			step,
		);
	}

	/** When the first form that waits expires, by its own time and by that which every form has; undefined: none waits. */
	nextEnd(limitMs: number): number | undefined {
		const end = this.#db.get<{ time: number | null }>("SELECT min(expires_at) AS time FROM forms WHERE status = 'waiting'")?.time;
		const start = this.#db.get<{ time: number | null }>("SELECT min(asked_at) AS time FROM forms WHERE status = 'waiting'")?.time;
		return end == null || start == null ? undefined : Math.min(end, start + limitMs);
	}

	#moveTurn(run: number, status: string, error: string | null): void {
		this.#db.run(
			"UPDATE messages SET status = ?, error = ? WHERE run_id = (SELECT id FROM runs WHERE seq = ?) AND status = 'paused'",
			status,
			error,
			run,
		);
	}

	/** When the oldest run that waits began; undefined: none waits. */
	oldest(): number | undefined {
		const row = this.#db.get<{ time: number | null }>('SELECT min(created_at) AS time FROM paused_runs JOIN runs ON runs.seq = run');
		return row?.time ?? undefined;
	}
}
