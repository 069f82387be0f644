import type { Database } from './database.ts';

/**
 * Returns the row ID of the first run that started at a time (Unix milliseconds) or later, or the next free ID if there is none. Runs are
 * numbered in the order of their start.
 * @param lastSeq row ID of the last run
 */
export function findFirstRunSince(db: Database, lastSeq: number, time: number): number {
	let [from, to] = [0, lastSeq + 1];
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		const row = db.get<{ seq: number; created_at: number }>('SELECT seq, created_at FROM runs WHERE seq >= ? ORDER BY seq LIMIT 1', middle);
		if (row === undefined || row.created_at >= time) {
			to = middle;
		} else {
			from = row.seq + 1;
		}
	}
	return from;
}
