import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { Database } from './database.ts';
import { RunRemoval } from './runRemoval.ts';
import type { Store } from './store.ts';

const dayMs = 86_400_000;
const sweepIntervalMs = 3_600_000;
/** Number of runs or responses deleted in one transaction, small enough not to block others for longer than a page of logs does. */
const sweepStep = 100;

/**
 * Deletes data older than the retention period: finished runs with their events, uploads, and responses of /v1/responses. Keeps
 * conversations with agents.
 */
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
		this.#job = new BackgroundJob('Deleting old data', () => this.#sweepOldData(), log);
	}

	/** Deletes old data now and every hour, in small steps. */
	start(): void {
		this.#job.scheduleStep();
	}

	stop(): void {
		this.#job.stop();
	}

	/**
	 * Deletes ended runs that ended before `time` (Unix milliseconds), among the `limit` oldest ones. Runs with a later end than `now` don't
	 * count, because a clock that was ahead once would keep all later runs. Returns their number.
	 */
	deleteRuns(time: number, limit: number, now = Date.now()): number {
		return this.#db.runTransaction(() => {
			const rows = this.#db.getRows<{ seq: number; finished_at: number | null }>(
				'SELECT seq, finished_at FROM runs WHERE finished_at <= ? ORDER BY seq LIMIT ?',
				now,
				limit,
			);
			const old = rows.filter(row => (row.finished_at ?? time) < time);
			for (const { seq } of old) {
				this.#removal.removeRun(seq);
			}
			return old.length;
		});
	}

	#sweepOldData(): NextTurn {
		const time = Date.now() - this.#keptMs;
		const { uploads, paused, search, responses } = this.#stores;
		const moreRuns = this.deleteRuns(time, sweepStep) > 0;
		const moreResponses = responses.deleteResponsesBefore(time, sweepStep) === sweepStep;
		search.scheduleIndexing();
		if (!moreRuns) {
			// a paused run may still need files that were uploaded long ago
			uploads.deleteUploadsBefore(Math.min(time, paused.getOldestStart() ?? time));
		}
		return moreRuns || moreResponses ? 10 : sweepIntervalMs;
	}
}
