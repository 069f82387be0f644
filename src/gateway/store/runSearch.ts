import type { Database } from './database.ts';

/** Characters of a keyword that count (Dify's limit; wire facts 1.1). */
export const keywordLength = 30;

/** Matches that are counted before `total` stops: a page then still knows whether more follow. */
export const countedMatches = 2_000;

/** One page of a search: row IDs of runs, newest first. */
export interface SearchPage {
	readonly seqs: readonly number[];
	/** Exact up to {@link countedMatches}; at that number, there may be more. */
	readonly total: number;
	readonly hasMore: boolean;
}

/**
 * Finds runs by a substring of their inputs, outputs or user. Finished runs are put into a trigram index a little after their end, in small steps
 * (indexing costs more than all else that is written for a run); until then they wait in a queue that searches read too.
 */
export class RunSearch {
	readonly #db: Database;
	#timer: NodeJS.Timeout | undefined;

	constructor(db: Database) {
		this.#db = db;
		// the index's terms; a table of this connection alone
		db.run("CREATE VIRTUAL TABLE temp.run_search_terms USING fts5vocab('main', 'run_search', 'instance')");
	}

	/** Says that runs wait in the queue; they are indexed soon, a few at a time. */
	wake(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			if (this.indexSome(indexStep) > 0) {
				this.wake();
			}
		}, indexDelayMs);
		this.#timer.unref();
	}

	stop(): void {
		clearTimeout(this.#timer);
	}

	/** Indexes up to `limit` queued runs in one transaction; returns how many it did. */
	indexSome(limit: number): number {
		const rows = this.#db.all<Indexed>(
			`SELECT seq, agent, status, user, inputs, outputs FROM run_search_queue CROSS JOIN runs ON runs.seq = run_search_queue.run ORDER BY run LIMIT ?`,
			limit,
		);
		if (rows.length === 0) {
			return 0;
		}
		this.#db.transaction(() => {
			for (const row of rows) {
				this.#db.run('INSERT INTO run_search (rowid, scope, body) VALUES (?, ?, ?)', row.seq, scopesOf(row.agent, row.status), bodyOf(row));
				this.#db.run('DELETE FROM run_search_queue WHERE run = ?', row.seq);
			}
		});
		return rows.length;
	}

	/** Listed runs of an agent whose inputs, outputs or user hold the keyword, whatever its case; or the run of that ID. Newest first. */
	find(agent: number, keyword: string, status: string | undefined, offset: number, limit: number): SearchPage {
		const byId = this.#byId(agent, keyword, status);
		if (byId !== undefined) {
			return { seqs: offset === 0 ? [byId] : [], total: 1, hasMore: false };
		}
		const needles = needlesOf(keyword);
		const waiting = this.#queued(agent, status).filter(row => holds(bodyOf(row), needles));
		const body = needles
			.map(needle => ([...needle].length < 3 ? this.#trigramsOf(needle) : quoted(needle)))
			.filter(each => each !== '')
			.join(' OR ');
		const query = `scope : ${quoted(scope(agent, status))} AND body : (${body})`;
		const wanted = offset + limit + 1;
		const indexed = body === '' ? [] : this.#matches(query, wanted);
		const seqs = [...waiting, ...indexed].map(({ seq }) => seq).sort((a, b) => b - a);
		const total = indexed.length < wanted ? seqs.length : waiting.length + this.#countMatches(query, Math.max(wanted, countedMatches));
		return { seqs: seqs.slice(offset, offset + limit), total, hasMore: seqs.length > offset + limit };
	}

	#byId(agent: number, keyword: string, status: string | undefined): number | undefined {
		const row = uuid.test(keyword)
			? this.#db.get<{ seq: number; status: string }>(
					'SELECT seq, status FROM runs WHERE id = ? AND agent = ? AND listed = 1',
					keyword.toLowerCase(),
					agent,
				)
			: undefined;
		return row && (status === undefined || row.status === status) ? row.seq : undefined;
	}

	#matches(query: string, limit: number): readonly { readonly seq: number }[] {
		return this.#db.all('SELECT rowid AS seq FROM run_search WHERE run_search MATCH ? ORDER BY rowid DESC LIMIT ?', query, limit);
	}

	#countMatches(query: string, limit: number): number {
		return (
			this.#db.get<{ count: number }>(
				'SELECT count(*) AS count FROM (SELECT 1 FROM run_search WHERE run_search MATCH ? LIMIT ?)',
				query,
				limit,
			)?.count ?? 0
		);
	}

	/** One or two characters are no trigram: the trigrams in the index that begin with them, as a query; empty if there are none. */
	#trigramsOf(beginning: string): string {
		const end = `${beginning}\u{10ffff}`;
		const terms: string[] = [];
		for (let from = beginning; ; ) {
			const row = this.#db.get<{ term: string }>('SELECT term FROM run_search_terms WHERE term >= ? AND term < ? LIMIT 1', from, end);
			if (!row) {
				return terms.map(quoted).join(' OR ');
			}
			terms.push(row.term);
			from = `${row.term}\u0000`;
		}
	}

	#queued(agent: number, status: string | undefined): readonly Indexed[] {
		return this.#db.all(
			`SELECT seq, agent, status, user, inputs, outputs FROM run_search_queue CROSS JOIN runs ON runs.seq = run_search_queue.run WHERE agent = ? AND (? IS NULL OR status = ?)`,
			agent,
			status ?? null,
			status ?? null,
		);
	}
}

interface Indexed {
	readonly seq: number;
	readonly agent: number;
	readonly status: string;
	readonly user: string;
	readonly inputs: string;
	readonly outputs: string | null;
}

const indexDelayMs = 20;
/** Runs indexed at a time: about 5 ms of work. */
const indexStep = 25;
/** Characters of a run's texts that a search looks at: a value of many megabytes is not cut into trigrams. */
const searchedLength = 262_144;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is searched. The line breaks at its end make its last two characters the beginning of a trigram too. */
function bodyOf({ user, inputs, outputs }: Indexed): string {
	return `${`${JSON.stringify(user).slice(1, -1)}\n${inputs}\n${outputs ?? ''}`.slice(0, searchedLength)}\n\n`;
}

/** What to look for, in lower case: the keyword as it is, and as JSON writes it within a value, where a quote or a line break is escaped. */
function needlesOf(keyword: string): readonly string[] {
	const cut = [...keyword].slice(0, keywordLength).join('').toLowerCase();
	return [...new Set([cut, JSON.stringify(cut).slice(1, -1)])];
}

function holds(body: string, needles: readonly string[]): boolean {
	const folded = body.toLowerCase();
	return needles.some(needle => folded.includes(needle));
}

function quoted(text: string): string {
	return `"${text.replaceAll('"', '""')}"`;
}

/** What the `scope` column of a run holds: agent, and agent with status. */
export function scopesOf(agent: number, status: string): string {
	return scope(agent, undefined) + scope(agent, status);
}

/**
 * Agent and status as one trigram, so that the index itself narrows a search down: a letter for the status, two ideographs for the agent (letters
 * would be folded to one case, and no trigram across two scopes begins with a letter).
 */
function scope(agent: number, status: string | undefined): string {
	const letter = status === undefined ? 'a' : (statusLetters[status] ?? 'z');
	return letter + String.fromCharCode(firstIdeograph + Math.floor(agent / ideographs), firstIdeograph + (agent % ideographs));
}

const firstIdeograph = 0x4e00;
const ideographs = 20_000;
const statusLetters: Readonly<Record<string, string>> = { succeeded: 's', failed: 'f', stopped: 't', 'partial-succeeded': 'p' };
