import { existsSync } from 'node:fs';
import { BackgroundJob, type NextTurn } from '../../process/backgroundJob.ts';
import type { Log } from '../../process/log.ts';
import { RequestThread } from '../../process/requestThread.ts';
import type { Database } from '../database.ts';
import { toStoreFault } from '../storeFault.ts';
import type { FoundRuns, IndexStep, SearchOrder, SearchPage } from './searchIndex.ts';
import { standing } from './searchTexts.ts';
import type { SearchFiles, SearchRequest } from './searchThread.ts';

const indexDelayMs = 20;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Finds runs by a substring of their inputs, outputs, errors or user. Finished runs are added to a trigram index soon after their end. This
 * happens in a thread that starts on first use, because indexing costs more than all other writes for a run. Until then, runs are in a
 * queue that searches also read.
 */
export class RunSearch {
	readonly #db: Database;
	readonly #files: SearchFiles;
	readonly #job: BackgroundJob;
	readonly #thread: RequestThread<SearchRequest>;

	constructor(db: Database, files: SearchFiles, log: Log) {
		this.#db = db;
		this.#files = files;
		this.#job = new BackgroundJob('Indexing runs', () => this.#runIndexStep(), log);
		// the bundle has the thread's code in a file next to this one; the source is TypeScript
		const code = new URL(import.meta.url.endsWith('.ts') ? './searchThread.ts' : './searchThread.js', import.meta.url);
		this.#thread = new RequestThread({ code, workerData: files, memoryMb: 128, name: 'The search thread' });
	}

	/** Must be called after runs were queued. They are indexed soon. */
	scheduleIndexing(): void {
		this.#job.scheduleStep(indexDelayMs);
	}

	/** Resolves once the thread has stopped. */
	async stop(): Promise<void> {
		this.#job.stop();
		await this.#thread.stop();
	}

	/** Indexes some of the queued runs. Returns true if there are more. */
	async indexSomeRuns(): Promise<boolean> {
		if (!this.#hasWork()) {
			return false;
		}
		const { done, more, isNew } = await this.#askThread<IndexStep>({ kind: 'runStep' });
		// runs that have changed meanwhile stay in the queue
		this.#db.run(
			`DELETE FROM run_search_queue WHERE run IN (
				SELECT value ->> 0 FROM json_each(?) WHERE value ->> 1 IS (SELECT ${standing} FROM runs WHERE seq = value ->> 0)
			)`,
			JSON.stringify(done),
		);
		if (isNew && !more) {
			await this.#queueAllRuns();
			return true;
		}
		return more;
	}

	/**
	 * Returns listed runs of an agent whose inputs, outputs, errors or user contain the keyword (its first 30 characters), ignoring case, or
	 * the run with that ID. Newest first.
	 */
	async findRuns(order: SearchOrder): Promise<SearchPage> {
		const byId = this.#findRunById(order);
		if (byId !== undefined) {
			return { seqs: order.offset === 0 ? [byId] : [], total: 1, hasMore: false };
		}
		const { isNew, ...page } = await this.#askThread<FoundRuns>({ kind: 'find', order });
		if (!isNew || this.#db.get('SELECT 1 FROM runs LIMIT 1') === undefined) {
			return page;
		}
		await this.#queueAllRuns();
		this.scheduleIndexing();
		const { isNew: _, ...again } = await this.#askThread<FoundRuns>({ kind: 'find', order });
		return again;
	}

	async #queueAllRuns(): Promise<void> {
		this.#db.run(
			"INSERT OR IGNORE INTO run_search_queue (run) SELECT seq FROM runs WHERE listed = 1 AND (finished_at IS NOT NULL OR status = 'paused')",
		);
		await this.#askThread({ kind: 'markFilled' });
	}

	async #runIndexStep(): Promise<NextTurn> {
		return (await this.indexSomeRuns()) ? 0 : undefined;
	}

	/** True if there is anything to index. A gateway without runs needs no thread. */
	#hasWork(): boolean {
		const table = existsSync(this.#files.index) ? 'run_search_queue' : 'runs';
		return this.#db.get(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined;
	}

	#findRunById({ agent, keyword, status, span }: SearchOrder): number | undefined {
		const row = uuid.test(keyword)
			? this.#db.get<{ seq: number; status: string }>(
					'SELECT seq, status FROM runs WHERE id = ? AND agent = ? AND listed = 1',
					keyword.toLowerCase(),
					agent,
				)
			: undefined;
		const within = span === undefined || (row !== undefined && row.seq >= span.first && row.seq <= span.last);
		return row && within && (status === undefined || row.status === status) ? row.seq : undefined;
	}

	async #askThread<T>(request: Parameters<RequestThread<SearchRequest>['sendRequest']>[0]): Promise<T> {
		return this.#thread.sendRequest<T>(request).catch((error: unknown) => {
			throw toStoreFault(error) ?? error;
		});
	}
}
