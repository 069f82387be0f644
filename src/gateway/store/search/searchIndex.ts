import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { eventsOfRun } from '../eventIds.ts';
import { getIndexVersion, indexVersion, openIndex } from './indexFile.ts';
import {
	containsNeedle,
	getNeedles,
	getScopes,
	getSearchText,
	getShortTokens,
	isSearchable,
	isShortNeedle,
	type QueuedRun,
	quotePhrase,
	standing,
	toScope,
	toScopeToken,
	toShortToken,
} from './searchTexts.ts';

/** Maximum runs and characters to index at once. A search may have to wait for that. */
const stepRuns = 100;
const stepLength = 131_072;
/** Number of totals to cache, because counting all matches of a common word is slow. */
const rememberedCounts = 100;

/** A search, and the requested page of its results. */
export interface SearchOrder {
	/** Row ID of the agent. */
	readonly agent: number;
	readonly keyword: string;
	readonly status: string | undefined;
	/** Only these runs are searched. */
	readonly span?: RowSpan | undefined;
	readonly offset: number;
	readonly limit: number;
}

/** Row IDs from `first` to `last`, both included; empty if `last` is less than `first`. */
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

/** Result of a search. If `isNew`, the index is only complete after all runs have been queued. */
export interface FoundRuns extends SearchPage {
	readonly isNew: boolean;
}

/**
 * Result of an indexing step: the indexed runs, each with its state at that time because it may have changed since; whether more runs are
 * queued; and whether the index is new, so that all runs must be queued.
 */
export interface IndexStep {
	readonly done: readonly (readonly [run: number, stood: string | null])[];
	readonly more: boolean;
	readonly isNew: boolean;
}

/** The trigram index of runs. It's in a file next to the store, which it only reads. For worker threads, because nothing here is fast. */
export class SearchIndex {
	readonly #index: DatabaseSync;
	readonly #store: DatabaseSync;
	readonly #counts = new Map<string, RememberedCount>();

	/** Opens the index, or creates a new one if there is none or it can't be read. */
	constructor(indexFile: string, storeFile: string) {
		this.#index = openIndex(indexFile);
		this.#store = new DatabaseSync(storeFile, { timeout: 5_000 });
		this.#store.exec('PRAGMA query_only = 1');
	}

	/** Marks a new index as complete, after every run has been queued. */
	markFilled(): void {
		this.#index.exec(`PRAGMA user_version = ${indexVersion}`);
	}

	/** Updates the index with some of the queued runs in one transaction, and removes deleted runs from it. */
	runStep(): IndexStep {
		const done: [number, string | null][] = [];
		const added: IndexedRun[] = [];
		let length = 0;
		let more = false;
		const insert = this.#index.prepare('INSERT OR REPLACE INTO run_search (rowid, scope, body) VALUES (?, ?, ?)');
		const insertShort = this.#index.prepare('INSERT OR REPLACE INTO run_search_short (rowid, tokens) VALUES (?, ?)');
		const known = this.#index.prepare('SELECT 1 FROM run_search_docsize WHERE id = ?');
		let isChanged = false;
		const remove = tables.map(table => this.#index.prepare(`DELETE FROM ${table} WHERE rowid = ?`));
		this.#index.exec('BEGIN');
		try {
			for (const row of this.#readQueue()) {
				if (done.length >= stepRuns || length >= stepLength) {
					more = true;
					break;
				}
				isChanged ||= known.get(row.run) !== undefined;
				if (isSearchable(row)) {
					const body = getSearchText(row);
					length += body.length;
					added.push({ run: row.run, agent: row.agent, status: row.status, body });
					insert.run(row.run, getScopes(row.agent, row.status), body);
					insertShort.run(row.run, getShortTokens(body, row.agent, row.status));
				} else {
					for (const each of remove) {
						each.run(row.run);
					}
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
		if (isChanged) {
			this.#counts.clear();
		} else {
			this.#addToCounts(added);
		}
		return { done, more, isNew: getIndexVersion(this.#index) === 0 };
	}

	/**
	 * Returns listed runs of an agent whose inputs, outputs, errors or user contain the keyword, ignoring case. Searches the text of queued
	 * runs, and the index for others.
	 */
	findRuns({ agent, keyword, status, span = allRows, offset, limit }: SearchOrder): FoundRuns {
		const needles = getNeedles(keyword);
		const queued = new Set<number>();
		const waiting: number[] = [];
		for (const row of this.#readQueue()) {
			queued.add(row.run);
			const counts = row.agent === agent && isSearchable(row) && (status === undefined || row.status === status);
			const within = row.run >= span.first && row.run <= span.last;
			if (counts && within && containsNeedle(getSearchText(row), needles)) {
				waiting.push(row.run);
			}
		}
		const query = createQuery(agent, status, needles);
		const asked = offset + limit + 1 + queued.size;
		const matches = this.#findMatches(query, span, asked);
		const indexed = matches.filter(seq => !queued.has(seq));
		const seqs = [...waiting, ...indexed].sort((a, b) => b - a);
		const total =
			matches.length < asked ? seqs.length : waiting.length + this.#countMatches(query, { agent, status, span, needles }, queued);
		return {
			seqs: seqs.slice(offset, offset + limit),
			total,
			hasMore: seqs.length > offset + limit,
			isNew: getIndexVersion(this.#index) === 0,
		};
	}

	/** False if the store, rather than the index, may be what is damaged. */
	isStoreReadable(): boolean {
		try {
			return [...this.#readQueue()].length >= 0;
		} catch {
			return false;
		}
	}

	close(): void {
		this.#store.close();
		this.#index.close();
	}

	#findMatches(query: Query, { first, last }: RowSpan, limit: number): readonly number[] {
		const sql = `${query.select('rowid BETWEEN ? AND ?')} ORDER BY seq DESC LIMIT ?`;
		return this.#queryAll<{ seq: number }>(sql, ...query.values(first, last), limit).map(({ seq }) => seq);
	}

	/** Returns the number of matching runs that aren't queued. */
	#countMatches(query: Query, asked: Omit<RememberedCount, 'count'>, queued: ReadonlySet<number>): number {
		const { first, last } = asked.span;
		const key = `${first} ${last} ${query.key}`;
		let remembered = this.#counts.get(key);
		if (remembered === undefined) {
			remembered = { ...asked, count: this.#countRows(query.select('rowid BETWEEN ? AND ?'), query.values(first, last)) };
			if (this.#counts.size >= rememberedCounts) {
				this.#counts.clear();
			}
			this.#counts.set(key, remembered);
		}
		return remembered.count - this.#countStaleRuns(query, asked.span, queued);
	}

	/** Returns the number of queued runs that the index still contains in an older state. */
	#countStaleRuns(query: Query, { first, last }: RowSpan, queued: ReadonlySet<number>): number {
		const indexed = this.#queryAll<{ id: number }>(
			'SELECT id FROM run_search_docsize WHERE id IN (SELECT value FROM json_each(?)) AND id BETWEEN ? AND ?',
			JSON.stringify([...queued]),
			first,
			last,
		).map(({ id }) => id);
		const condition = 'rowid IN (SELECT value FROM json_each(?))';
		return indexed.length === 0 ? 0 : this.#countRows(query.select(condition), query.values(JSON.stringify(indexed)));
	}

	#countRows(select: string, values: readonly SQLInputValue[]): number {
		return this.#queryAll<{ count: number }>(`SELECT count(*) AS count FROM (${select})`, ...values)[0]?.count ?? 0;
	}

	/** Updates the cached totals with runs that weren't in the index before. */
	#addToCounts(runs: readonly IndexedRun[]): void {
		for (const remembered of this.#counts.values()) {
			const { agent, status, span, needles } = remembered;
			remembered.count += runs.filter(
				run =>
					run.agent === agent &&
					(status === undefined || run.status === status) &&
					run.run >= span.first &&
					run.run <= span.last &&
					containsNeedle(run.body, needles),
			).length;
		}
	}

	#readQueue(): Iterable<QueuedRun> {
		// if a node's error didn't end its run, only the run's events contain it
		const nodeErrors = `CASE WHEN exceptions_count > 0 THEN (SELECT group_concat(json_extract(event, '$.data.error'), char(10)) FROM run_events
			WHERE id BETWEEN queue.run * ${eventsOfRun} AND (queue.run + 1) * ${eventsOfRun} - 1
			AND event GLOB '{"event":"node_[fr]*' AND json_extract(event, '$.data.error') <> '') END`;
		const columns = `queue.run AS run, listed, finished_at, agent, status, ${standing} AS stands, user, inputs, outputs, error, coalesce(${nodeErrors}, '') AS nodeErrors`;
		return this.#store
			.prepare(`SELECT ${columns} FROM run_search_queue AS queue LEFT JOIN runs ON runs.seq = queue.run ORDER BY queue.run`)
			.iterate() as Iterable<QueuedRun>;
	}

	#queryAll<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		return this.#index.prepare(sql).all(...values) as T[];
	}
}

/** Cached number of matches of a search. */
interface RememberedCount {
	readonly agent: number;
	readonly status: string | undefined;
	readonly span: RowSpan;
	readonly needles: readonly string[];
	count: number;
}

/** A run that was added to the index. */
interface IndexedRun {
	readonly run: number;
	readonly agent: number;
	readonly status: string;
	readonly body: string;
}

/** SQL for the row IDs (`seq`) of matches. */
interface Query {
	readonly key: string;
	/** @param condition SQL condition on the row ID */
	select(condition: string): string;
	/**
	 * Returns the parameters of {@link select}.
	 * @param rows parameters of the condition
	 */
	values(...rows: SQLInputValue[]): SQLInputValue[];
}

/** The tables of the index: trigrams, and tokens of one or two characters. */
const tables = ['run_search', 'run_search_short'] as const;

function createQuery(agent: number, status: string | undefined, needles: readonly string[]): Query {
	const [long, short] = [needles.filter(needle => !isShortNeedle(needle)), needles.filter(isShortNeedle)];
	const searches = [
		{
			table: tables[0],
			match: `scope : ${quotePhrase(toScope(agent, status))} AND body : (${long.map(quotePhrase).join(' OR ')})`,
			needles: long,
		},
		{ table: tables[1], match: `${toScopeToken(agent, status)} AND (${short.map(toShortToken).join(' OR ')})`, needles: short },
	].filter(search => search.needles.length > 0);
	return {
		key: searches.map(({ match }) => match).join(' '),
		select: condition =>
			searches.map(({ table }) => `SELECT rowid AS seq FROM ${table} WHERE ${table} MATCH ? AND ${condition}`).join(' UNION '),
		values: (...rows) => searches.flatMap(({ match }) => [match, ...rows]),
	};
}
