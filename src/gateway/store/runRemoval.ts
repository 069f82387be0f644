import type { Database } from './database.ts';
import { getEventRowId } from './eventIds.ts';
import { RunCounts } from './runCounts.ts';

/** Removes ended runs from the store, with all their data: events, counts and search entries. */
export class RunRemoval {
	readonly #db: Database;
	readonly #counts: RunCounts;

	constructor(db: Database) {
		this.#db = db;
		this.#counts = new RunCounts(db);
	}

	/** Removes a run. Must be called within a transaction. The search must be woken afterwards to update its index. */
	removeRun(seq: number): void {
		const row = this.#db.get<{ agent: number; status: string; listed: number }>(
			'DELETE FROM runs WHERE seq = ? RETURNING agent, status, listed',
			seq,
		);
		this.#db.run('DELETE FROM run_events WHERE id BETWEEN ? AND ?', getEventRowId(seq, 0), getEventRowId(seq + 1, 0) - 1);
		if (row?.listed) {
			this.#db.run('INSERT OR IGNORE INTO run_search_queue (run) VALUES (?)', seq);
			this.#counts.add(row.agent, undefined, seq, -1);
			this.#counts.add(row.agent, row.status, seq, -1);
		}
	}
}
