import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { Database } from './database.ts';
import { RunRemoval } from './runRemoval.ts';
import type { Store } from './store.ts';

const dayMs = 86_400_000;
const sweepIntervalMs = 3_600_000;
/** Runs, or replies, deleted in one transaction: few enough to keep others waiting no longer than a page of logs does. */
const sweepStep = 100;

/** Deletes what is older than the days that the user wants to keep: finished runs with their events, uploads, and replies of /v1/responses. Conversations with agents stay. */
export class Retention {
	readonly #db: Database;
	readonly #removal: RunRemoval;
	readonly #stores: Pick<Store, 'uploads' | 'paused' | 'search' | 'responses'>;
	readonly #keptMs: number;
	readonly #job: BackgroundJob;

	constructor(db: Database, stores: Pick<Store, 'uploads' | 'paused' | 'search' | 'responses'>, days: number, log: Log) {
		this.#db = db;
		this.#removal = new RunRemoval(db);
		this.#stores = stores;
		this.#keptMs = days * dayMs;
		this.#job = new BackgroundJob('deleting what is too old', () => this.#sweep(), log);
	}

	/** Sweeps now and every hour, a little at a time. */
	start(): void {
		this.#job.wake();
	}

	stop(): void {
		this.#job.stop();
	}

	/** Deletes up to `limit` runs that began before `time` (Unix milliseconds) and have ended; returns how many it did. */
	deleteRuns(time: number, limit: number): number {
		return this.#db.transaction(() => {
			const rows = this.#db.all<{ seq: number; finished_at: number | null }>(
				'SELECT seq, finished_at FROM runs WHERE finished_at IS NOT NULL ORDER BY seq LIMIT ?',
				limit,
			);
			const old = rows.filter(row => (row.finished_at ?? time) < time);
			for (const { seq } of old) {
				this.#removal.remove(seq);
			}
			return old.length;
		});
	}

	#sweep(): NextTurn {
		const time = Date.now() - this.#keptMs;
		const { uploads, paused, search, responses } = this.#stores;
		const moreRuns = this.deleteRuns(time, sweepStep) === sweepStep;
		const moreResponses = responses.deleteBefore(time, sweepStep) === sweepStep;
		search.wake();
		if (!moreRuns) {
			// a run that waits may go on with files that it was given long ago
			uploads.deleteBefore(Math.min(time, paused.oldest() ?? time));
		}
		return moreRuns || moreResponses ? 10 : sweepIntervalMs;
	}
}
