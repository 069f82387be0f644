import type { Database } from './database.ts';

/** Number of consecutive runs that are counted together. Small enough to skip through a block, large enough to need few counts. */
export const blockSize = 4096;

/** Start of a page: it skips `skip` runs, beginning with the newest one whose row ID is at most `upTo`. */
interface PagePlace {
	readonly upTo: number;
	readonly skip: number;
}

/**
 * Counts of listed runs by agent, status and block of row IDs, updated with every change. The total of a list is then a sum of few rows,
 * and any page of a million runs is found without skipping through the previous ones.
 */
export class RunCounts {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/**
	 * Adds (1) or removes (-1) a run. If `status` is undefined, this changes the count of all runs. Must be called within the transaction that
	 * changes the run.
	 */
	add(agent: number, status: string | undefined, seq: number, change: 1 | -1): void {
		this.#db.run(
			'INSERT INTO run_counts (agent, status, block, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
			agent,
			status ?? '',
			getBlock(seq),
			change,
		);
	}

	/** Returns the number of runs with a greater row ID. */
	countNewerRuns(agent: number, status: string | undefined, seq: number): number {
		const block = getBlock(seq);
		const whole =
			this.#db.get<{ total: number | null }>(
				'SELECT sum(count) AS total FROM run_counts WHERE agent = ? AND status = ? AND block > ?',
				agent,
				status ?? '',
				block,
			)?.total ?? 0;
		const rest = this.#db.get<{ count: number }>(
			`SELECT count(*) AS count FROM runs WHERE agent = ? AND listed = 1 AND seq > ? AND seq < ?${status === undefined ? '' : ' AND status = ?'}`,
			agent,
			seq,
			(block + 1) * blockSize,
			...(status === undefined ? [] : [status]),
		);
		return whole + (rest?.count ?? 0);
	}

	getTotal(agent: number, status: string | undefined): number {
		return (
			this.#db.get<{ total: number | null }>(
				'SELECT sum(count) AS total FROM run_counts WHERE agent = ? AND status = ?',
				agent,
				status ?? '',
			)?.total ?? 0
		);
	}

	/** Returns the start of the page that follows the newest `offset` runs. */
	findPageStart(agent: number, status: string | undefined, offset: number): PagePlace {
		const blocks = this.#db.getRows<{ block: number; count: number }>(
			'SELECT block, count FROM run_counts WHERE agent = ? AND status = ? ORDER BY block DESC',
			agent,
			status ?? '',
		);
		let before = 0;
		for (const { block, count } of blocks) {
			if (before + count > offset) {
				return { upTo: (block + 1) * blockSize - 1, skip: offset - before };
			}
			before += count;
		}
		return { upTo: 0, skip: 0 };
	}
}

/** Returns the block of a run's row ID. */
export function getBlock(seq: number): number {
	return Math.floor(seq / blockSize);
}
