import { rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { eventsOfRun } from '../eventIds.ts';
import { bodyOf, holds, needlesOf, quoted, type SearchedRun, scope, scopesOf, standing } from './searchTexts.ts';

/** Runs, and characters of theirs, that are indexed in one go: what a search may have to wait for. */
const stepRuns = 100;
const stepLength = 131_072;
/** What the index holds of a run; one that was made by another build's rules is made anew. */
const indexVersion = 2;
/** Counts that are remembered until something is indexed. */
const rememberedCounts = 100;

/** What is looked for, and which page of it. */
export interface SearchOrder {
	/** Row ID of the agent. */
	readonly agent: number;
	readonly keyword: string;
	readonly status: string | undefined;
	/** Only runs in it; all unless given. */
	readonly span?: RowSpan | undefined;
	readonly offset: number;
	readonly limit: number;
}

/** Row IDs from `first` to `last`, both included; none where `last` is less. */
export interface RowSpan {
	readonly first: number;
	readonly last: number;
}

const allRows: RowSpan = { first: 0, last: Number.MAX_SAFE_INTEGER };

/** One page of a search: row IDs of runs, newest first. `total` is exact. */
export interface SearchPage {
	readonly seqs: readonly number[];
	readonly total: number;
	readonly hasMore: boolean;
}

/** What the index answers; `isNew`: every run has to be queued before it finds them all. */
export interface FoundRuns extends SearchPage {
	readonly isNew: boolean;
}

/**
 * What one step of indexing did: queued runs that are done, each with how it stood, for it may have changed since; whether more wait, whether the index is
 * new and every run has to be queued.
 */
export interface IndexStep {
	readonly done: readonly (readonly [run: number, stood: string | null])[];
	readonly more: boolean;
	readonly isNew: boolean;
}

/**
 * The trigram index of runs, in a file of its own, beside the store that it is made from and can be made from again. It reads the store and never writes
 * it. For the use of one thread: nothing in here is quick.
 */
export class SearchIndex {
	readonly #index: DatabaseSync;
	readonly #store: DatabaseSync;
	readonly #counts = new Map<string, number>();

	/** Opens the index, or begins a new one where there is none that can be read. */
	constructor(indexFile: string, storeFile: string) {
		this.#index = openIndex(indexFile);
		this.#store = new DatabaseSync(storeFile, { timeout: 5_000 });
		this.#store.exec('PRAGMA query_only = 1');
	}

	/** Every run was queued for the new index. */
	filled(): void {
		this.#index.exec(`PRAGMA user_version = ${indexVersion}`);
	}

	/** Brings the index up to date with some of the queued runs, in one transaction; a run that is gone leaves the index. */
	step(): IndexStep {
		const done: [number, string | null][] = [];
		let length = 0;
		let more = false;
		const [insert, remove] = [
			this.#index.prepare('INSERT OR REPLACE INTO run_search (rowid, scope, body) VALUES (?, ?, ?)'),
			this.#index.prepare('DELETE FROM run_search WHERE rowid = ?'),
		];
		this.#index.exec('BEGIN');
		try {
			for (const row of this.#queued()) {
				if (done.length >= stepRuns || length >= stepLength) {
					more = true;
					break;
				}
				if (isFound(row)) {
					const body = bodyOf(row);
					length += body.length;
					insert.run(row.run, scopesOf(row.agent, row.status), body);
				} else {
					remove.run(row.run);
				}
				done.push([row.run, row.stands]);
			}
			this.#index.exec('COMMIT');
		} catch (error) {
			if (this.#index.isTransaction) {
				this.#index.exec('ROLLBACK');
			}
			throw error;
		}
		this.#counts.clear();
		return { done, more, isNew: this.#version() === 0 };
	}

	/** Listed runs of an agent whose inputs, outputs, errors or user hold the keyword, whatever its case: queued ones by their texts, the others by the index. */
	find({ agent, keyword, status, span = allRows, offset, limit }: SearchOrder): FoundRuns {
		const needles = needlesOf(keyword);
		const queued = new Set<number>();
		const waiting: number[] = [];
		for (const row of this.#queued()) {
			queued.add(row.run);
			const counts = row.agent === agent && isFound(row) && (status === undefined || row.status === status);
			const within = row.run >= span.first && row.run <= span.last;
			if (counts && within && holds(bodyOf(row), needles)) {
				waiting.push(row.run);
			}
		}
		const body = needles
			.map(needle => ([...needle].length < 3 ? this.#trigramsOf(needle) : quoted(needle)))
			.filter(each => each !== '')
			.join(' OR ');
		const query = body === '' ? undefined : `scope : ${quoted(scope(agent, status))} AND body : (${body})`;
		const asked = offset + limit + 1 + queued.size;
		const matches = query === undefined ? [] : this.#matches(query, span, asked);
		const indexed = matches.filter(seq => !queued.has(seq));
		const seqs = [...waiting, ...indexed].sort((a, b) => b - a);
		const total = query === undefined || matches.length < asked ? seqs.length : waiting.length + this.#count(query, span, queued);
		return {
			seqs: seqs.slice(offset, offset + limit),
			total,
			hasMore: seqs.length > offset + limit,
			isNew: this.#version() === 0,
		};
	}

	#version(): number {
		return versionOf(this.#index);
	}

	close(): void {
		this.#store.close();
		this.#index.close();
	}

	#matches(query: string, { first, last }: RowSpan, limit: number): readonly number[] {
		return this.#all<{ seq: number }>(
			'SELECT rowid AS seq FROM run_search WHERE run_search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?',
			query,
			first,
			last,
			limit,
		).map(({ seq }) => seq);
	}

	#count(query: string, { first, last }: RowSpan, queued: ReadonlySet<number>): number {
		const sql = 'SELECT count(*) AS count FROM run_search WHERE run_search MATCH ? AND rowid BETWEEN ? AND ?';
		const key = `${first} ${last} ${query}`;
		let count = this.#counts.get(key);
		if (count === undefined) {
			count = this.#all<{ count: number }>(sql, query, first, last)[0]?.count ?? 0;
			if (this.#counts.size >= rememberedCounts) {
				this.#counts.clear();
			}
			this.#counts.set(key, count);
		}
		const stale =
			queued.size === 0
				? 0
				: this.#all<{ count: number }>(
						`${sql} AND rowid IN (SELECT value FROM json_each(?))`,
						query,
						first,
						last,
						JSON.stringify([...queued]),
					)[0]?.count;
		return count - (stale ?? 0);
	}

	/** One or two characters are no trigram: the trigrams in the index that begin with them, as a query; empty if there are none. */
	#trigramsOf(beginning: string): string {
		const end = `${beginning}\u{10ffff}`;
		const terms: string[] = [];
		for (let from = beginning; ; ) {
			const [row] = this.#all<{ term: string }>('SELECT term FROM run_search_terms WHERE term >= ? AND term < ? LIMIT 1', from, end);
			if (!row) {
				return terms.map(quoted).join(' OR ');
			}
			terms.push(row.term);
			from = `${row.term}\u0000`;
		}
	}

	#queued(): Iterable<QueuedRun> {
		// a run whose node failed and that went on says so in its events alone
		const nodeErrors = `CASE WHEN exceptions_count > 0 THEN (SELECT group_concat(json_extract(event, '$.data.error'), char(10)) FROM run_events
			WHERE id BETWEEN queue.run * ${eventsOfRun} AND (queue.run + 1) * ${eventsOfRun} - 1
			AND event GLOB '{"event":"node_[fr]*' AND json_extract(event, '$.data.error') <> '') END`;
		const columns = `queue.run AS run, listed, finished_at, agent, status, ${standing} AS stands, user, inputs, outputs, error, coalesce(${nodeErrors}, '') AS nodeErrors`;
		return this.#store
			.prepare(`SELECT ${columns} FROM run_search_queue AS queue LEFT JOIN runs ON runs.seq = queue.run ORDER BY queue.run`)
			.iterate() as Iterable<QueuedRun>;
	}

	#all<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		return this.#index.prepare(sql).all(...values) as T[];
	}
}

/** A run in the queue; all but its row ID is null where the run itself is gone. */
interface QueuedRun extends SearchedRun {
	readonly run: number;
	readonly listed: number | null;
	readonly finished_at: number | null;
	readonly agent: number;
	readonly status: string;
	readonly stands: string | null;
}

/** Whether searches find a run: it is listed, and does not change for now. */
function isFound({ listed, finished_at, status }: QueuedRun): boolean {
	return listed === 1 && (finished_at !== null || status === 'paused');
}

function versionOf(db: DatabaseSync): number {
	return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

function openIndex(file: string): DatabaseSync {
	try {
		const db = open(file);
		const version = versionOf(db);
		if (version === 0 || version === indexVersion) {
			return db;
		}
		db.close();
	} catch {
		// made anew like one of another build
	}
	for (const ending of ['', '-wal', '-shm']) {
		rmSync(file + ending, { force: true });
	}
	return open(file);
}

function open(file: string): DatabaseSync {
	const db = new DatabaseSync(file, { timeout: 5_000 });
	try {
		db.exec(`
			PRAGMA journal_mode = WAL;
			PRAGMA synchronous = NORMAL;
			PRAGMA cache_size = -16384;
			CREATE VIRTUAL TABLE IF NOT EXISTS run_search USING fts5 (scope, body, content = '', contentless_delete = 1, tokenize = 'trigram');
			CREATE VIRTUAL TABLE temp.run_search_terms USING fts5vocab('main', 'run_search', 'instance');
			SELECT rowid FROM run_search WHERE run_search MATCH '"abc"' LIMIT 1;`);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}
