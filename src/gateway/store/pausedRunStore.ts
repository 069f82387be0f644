import type { Database } from './database.ts';

/** An open or closed form of a run. Times are Unix milliseconds, `form` and `answer` are JSON. */
export interface FormRow {
	readonly token: string;
	/** Row ID of the run. */
	readonly run: number;
	readonly id: string;
	/** Node that created it. */
	readonly node: string;
	readonly status: FormStatus;
	readonly asked_at: number;
	readonly expires_at: number;
	readonly form: string;
	readonly answer: string | null;
}
type FormStatus = 'waiting' | 'submitted' | 'expired';

/** A form to be added. */
export type NewForm = Omit<FormRow, 'run' | 'status' | 'answer'>;

/** Saved data of a paused run as JSON texts: its request, the text of a draft (null for a published version), and its state. */
export interface PausedRunTexts {
	readonly request: string;
	readonly source: string | null;
	readonly state: string;
}

/** A paused run, with the names of its agent. */
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
/** Number of forms read at once. */
const step = 200;

/** Paused runs and their forms. */
export class PausedRunStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Saves a run that waits for these forms. Existing forms stay unchanged. Must be called within a transaction. */
	add(run: number, taskId: string, texts: PausedRunTexts, forms: readonly NewForm[]): void {
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

	/** Marks the run as resumed with its answers. Must be called within a transaction. */
	releaseRun(run: number): void {
		this.#db.run('DELETE FROM paused_runs WHERE run = ?', run);
		this.#db.run("UPDATE forms SET applied = 1 WHERE run = ? AND status <> 'waiting'", run);
		this.#updateTurn(run, 'running', null);
	}

	/**
	 * Deletes the paused state and the open forms of a run that has ended. If it ended while it was paused, also ends its chat turn, with the
	 * error if there is one. Must be called within a transaction.
	 */
	delete(run: number, waited: { readonly error: string | null } | undefined): void {
		if (waited) {
			this.#updateTurn(run, waited.error === null ? 'normal' : 'error', waited.error);
		}
		this.#db.run('DELETE FROM paused_runs WHERE run = ?', run);
		this.#db.run("DELETE FROM forms WHERE run = ? AND status = 'waiting'", run);
	}

	/** Marks open forms of a run as expired. Must be called within a transaction. */
	expireForms(run: number): void {
		this.#db.run("UPDATE forms SET status = 'expired', applied = 1 WHERE run = ? AND status = 'waiting'", run);
	}

	/** Returns a form, open or closed. */
	getForm(token: string): FormRow | undefined {
		return this.#db.get(`SELECT ${formColumns} FROM forms WHERE token = ?`, token);
	}

	/** Returns the row ID of the agent whose run created a form. */
	getAgent({ run }: FormRow): number | undefined {
		return this.#db.get<{ agent: number }>('SELECT agent FROM runs WHERE seq = ?', run)?.agent;
	}

	/** Saves the outcome of an open form, durably once this returns. Returns false if the form isn't open anymore. */
	closeForm(token: string, status: Exclude<FormStatus, 'waiting'>, answer: string): boolean {
		return (
			this.#db.run("UPDATE forms SET status = ?, answer = ? WHERE token = ? AND status = 'waiting'", status, answer, token).changes > 0
		);
	}

	/** Returns the answers that a run hasn't used yet, as JSON by node. */
	getAnswers(run: number): Readonly<Record<string, string>> {
		const rows = this.#db.getRows<{ node: string; answer: string }>(
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

	/** Returns the row ID of a task's paused run. */
	findRunByTask(taskId: string): number | undefined {
		return this.#db.get<{ run: number }>('SELECT run FROM paused_runs WHERE task_id = ?', taskId)?.run;
	}

	/** Returns the row ID of a paused run by its ID. */
	findRunById(id: string): number | undefined {
		return this.#db.get<{ run: number }>('SELECT run FROM runs JOIN paused_runs ON run = seq WHERE runs.id = ?', id)?.run;
	}

	/** Returns the number of paused runs. */
	countRuns(): number {
		return this.#db.get<{ count: number }>('SELECT count(*) AS count FROM paused_runs')?.count ?? 0;
	}

	/** Returns the row IDs of paused runs with an unused answer, oldest first. */
	findAnsweredRuns(): readonly number[] {
		return this.#db
			.getRows<{ run: number }>(
				`SELECT DISTINCT forms.run AS run FROM forms JOIN paused_runs ON paused_runs.run = forms.run
				WHERE forms.status <> 'waiting' AND applied = 0 ORDER BY forms.run`,
			)
			.map(({ run }) => run);
	}

	/** Returns when the last unused form of a run was created. */
	getLastFormTime(run: number): number | undefined {
		return (
			this.#db.get<{ time: number | null }>('SELECT max(asked_at) AS time FROM forms WHERE run = ? AND applied = 0', run)?.time ?? undefined
		);
	}

	/** Returns open forms that have expired, up to a limit. */
	findExpiredForms(now: number): readonly FormRow[] {
		return this.#db.getRows(
			`SELECT ${formColumns} FROM forms WHERE status = 'waiting' AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
			now,
			step,
		);
	}

	/** Returns open forms that were created at this time or earlier, up to a limit. */
	findOldForms(time: number): readonly FormRow[] {
		return this.#db.getRows(
			`SELECT ${formColumns} FROM forms WHERE status = 'waiting' AND asked_at <= ? ORDER BY asked_at LIMIT ?`,
			time,
			step,
		);
	}

	/** Returns when the next open form expires, by its deadline or the limit for all forms. Undefined if no form is open. */
	getNextExpiry(limitMs: number): number | undefined {
		const end = this.#db.get<{ time: number | null }>("SELECT min(expires_at) AS time FROM forms WHERE status = 'waiting'")?.time;
		const start = this.#db.get<{ time: number | null }>("SELECT min(asked_at) AS time FROM forms WHERE status = 'waiting'")?.time;
		return end == null || start == null ? undefined : Math.min(end, start + limitMs);
	}

	#updateTurn(run: number, status: string, error: string | null): void {
		this.#db.run(
			"UPDATE messages SET status = ?, error = ? WHERE run_id = (SELECT id FROM runs WHERE seq = ?) AND status = 'paused'",
			status,
			error,
			run,
		);
	}

	/** Returns when the oldest paused run started; undefined if none is paused. */
	getOldestStart(): number | undefined {
		const row = this.#db.get<{ time: number | null }>('SELECT min(created_at) AS time FROM paused_runs JOIN runs ON runs.seq = run');
		return row?.time ?? undefined;
	}
}
