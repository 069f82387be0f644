import type { Database } from './database.ts';
import { RunCounts } from './runCounts.ts';
import { eventId } from './runStore.ts';
import type { UploadStore } from './uploadStore.ts';

const dayMs = 86_400_000;
const sweepIntervalMs = 3_600_000;
/** Runs deleted in one transaction: few enough to keep others waiting no longer than a page of logs does. */
const sweepStep = 100;

/** Deletes what is older than the days that the user wants to keep: finished runs with their events, and uploads. Conversations stay. */
export class Retention {
	readonly #db: Database;
	readonly #counts: RunCounts;
	readonly #uploads: UploadStore;
	readonly #keptMs: number;
	#timer: NodeJS.Timeout | undefined;

	constructor(db: Database, uploads: UploadStore, days: number) {
		this.#db = db;
		this.#counts = new RunCounts(db);
		this.#uploads = uploads;
		this.#keptMs = days * dayMs;
	}

	/** Sweeps now and every hour, a little at a time. */
	start(): void {
		this.#timer = setTimeout(() => this.#sweep(), 0);
		this.#timer.unref();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}

	/** Deletes up to `limit` runs that began before `time` (Unix milliseconds) and have ended; returns how many it did. */
	deleteRuns(time: number, limit: number): number {
		return this.#db.transaction(() => {
			const rows = this.#db.all<{ seq: number; agent: number; status: string; listed: number; finished_at: number | null }>(
				'SELECT seq, agent, status, listed, finished_at FROM runs WHERE finished_at IS NOT NULL ORDER BY seq LIMIT ?',
				limit,
			);
			const old = rows.filter(row => (row.finished_at ?? time) < time);
			for (const { seq, agent, status, listed } of old) {
				this.#db.run('DELETE FROM run_events WHERE id BETWEEN ? AND ?', eventId(seq, 0), eventId(seq + 1, 0) - 1);
				this.#db.run('DELETE FROM run_search_queue WHERE run = ?', seq);
				this.#db.run('DELETE FROM runs WHERE seq = ?', seq);
				if (listed) {
					this.#db.run('DELETE FROM run_search WHERE rowid = ?', seq);
					this.#counts.add(agent, undefined, seq, -1);
					this.#counts.add(agent, status, seq, -1);
				}
			}
			return old.length;
		});
	}

	#sweep(): void {
		const time = Date.now() - this.#keptMs;
		const more = this.deleteRuns(time, sweepStep) === sweepStep;
		if (!more) {
			this.#uploads.deleteBefore(time);
		}
		this.#timer = setTimeout(() => this.#sweep(), more ? 10 : sweepIntervalMs);
		this.#timer.unref();
	}
}
