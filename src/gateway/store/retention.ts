import { BackgroundJob, type NextTurn } from '../process/backgroundJob.ts';
import type { Log } from '../process/log.ts';
import type { Database } from './database.ts';
import { RetentionPeriod } from './retentionPeriod.ts';
import { RunRemoval } from './runRemoval.ts';
import type { Store } from './store.ts';

const sweepIntervalMs = 3_600_000;
/** Number of runs or responses deleted in one transaction, small enough not to block others for longer than a page of logs does. */
const sweepStep = 100;
/** Number of latest runs and responses among which the newest is looked for, because a clock may have been wrong meanwhile. */
const lookedAt = 1_000;

/**
 * Deletes data older than the retention period: finished runs with their events, uploads, and responses of /v1/responses. Keeps
 * conversations with agents.
 */
export class Retention {
	readonly #db: Database;
	readonly #removal: RunRemoval;
	readonly #stores: Pick<Store, 'uploads' | 'paused' | 'search' | 'responses'>;
	readonly #period: RetentionPeriod;
	readonly #job: BackgroundJob;

	/** Must be created before anything else writes to the store: the time of the newest data tells if the clock may be wrong. */
	constructor(db: Database, stores: Pick<Store, 'uploads' | 'paused' | 'search' | 'responses'>, days: number, log: Log) {
		this.#db = db;
		this.#removal = new RunRemoval(db);
		this.#stores = stores;
		this.#period = new RetentionPeriod(days, this.#getNewestTime(Date.now()), log);
		this.#job = new BackgroundJob('Deleting old data', () => this.sweepOldData(), log);
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

	/** Deletes some old data, and returns when to call this again. */
	sweepOldData(): NextTurn {
		const time = this.#period.findStart();
		if (time === undefined) {
			return sweepIntervalMs;
		}
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

	#getNewestTime(now: number): number | undefined {
		// recent runs and responses have the latest times, unless the clock was ahead
		const sql = `SELECT max(time) AS time FROM (
			SELECT * FROM (SELECT finished_at AS time FROM runs WHERE finished_at <= ?1 ORDER BY seq DESC LIMIT ${lookedAt})
			UNION ALL SELECT * FROM (SELECT created_at FROM responses WHERE created_at <= ?1 ORDER BY seq DESC LIMIT ${lookedAt})
			UNION ALL SELECT created_at FROM uploads WHERE created_at <= ?1)`;
		return this.#db.get<{ time: number | null }>(sql, now)?.time ?? undefined;
	}
}
