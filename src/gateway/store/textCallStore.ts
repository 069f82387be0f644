import { formatCalendarDay } from '#base/text/calendarDay.ts';
import type { Database } from './database.ts';

/** A recorded text generation call. Unknown numbers are null. Times are Unix milliseconds, durations are milliseconds. */
export interface TextCallRow {
	readonly at: number;
	readonly endpoint: string;
	readonly model: string;
	/** Name or pattern of the route that replied; empty if the call didn't reach one. */
	readonly route: string;
	readonly provider: string;
	readonly status: number;
	readonly user: string;
	readonly agent: string;
	readonly run: string;
	readonly tries: number;
	/** 1 if the reply came from the cache, otherwise 0. */
	readonly hit: number;
	readonly elapsed: number;
	readonly input_tokens: number | null;
	readonly cached_tokens: number | null;
	readonly output_tokens: number | null;
	readonly cost: number | null;
	readonly currency: string;
	readonly error: string | null;
	readonly request: string | null;
	readonly reply: string | null;
}

/** Filter for a list of calls. */
interface TextCallFilter {
	readonly model?: string;
	readonly agent?: string;
	/** Text in any field, request or reply. Ignores the case of ASCII letters. */
	readonly keyword?: string;
	/** `failed` selects calls with an error. */
	readonly status?: 'succeeded' | 'failed';
	/** Both included, in Unix milliseconds. */
	readonly after?: number;
	readonly before?: number;
}

/** A page of calls, newest first. `next` is the start of the next page; undefined at the end. */
export interface TextCallRows {
	readonly rows: readonly (Omit<TextCallRow, 'request' | 'reply'> & { readonly id: number })[];
	readonly next?: number;
}

/** Ways to group the usage. */
const usageGroups = ['day', 'model', 'agent'] as const;
type UsageGroup = (typeof usageGroups)[number];

/** Calls of one day, model or agent, in one currency. */
interface UsageRow {
	readonly name: string;
	readonly currency: string;
	readonly calls: number;
	readonly failed: number;
	readonly hits: number;
	readonly input_tokens: number;
	readonly cached_tokens: number;
	readonly output_tokens: number;
	readonly cost: number;
}

/**
 * Maximum calls to scan for one page, so that others don't wait long. If few calls match the filter, the next page continues after them.
 */
const lookedAt = 20_000;

/** Fewer for a keyword, because requests and replies are long. */
const searchedAt = 2000;

/** The text in which a keyword is searched. */
const searchedText = ['model', 'route', 'endpoint', 'user', 'agent', 'run', 'error', 'request', 'reply']
	.map(name => `coalesce(${name}, '')`)
	.join(' || char(10) || ');

const columns = `at, endpoint, model, route, provider, status, user, agent, run, tries, hit, elapsed, input_tokens, cached_tokens, output_tokens, cost,
	currency, error`;
const insertion = `INSERT INTO text_calls (${columns}, request, reply) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Text generation calls, and their totals, which are kept longer. */
export class TextCallStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Saves ended calls in one transaction. */
	add(rows: readonly TextCallRow[]): void {
		const sums = new Map<string, Sum>();
		this.#db.runTransaction(() => {
			this.#db.runEach(insertion, rows.map(toColumns));
			for (const row of rows) {
				addToSums(sums, row);
			}
			for (const { key, values } of sums.values()) {
				this.#db.run(
					`INSERT INTO text_usage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, failed = failed + excluded.failed,
						hits = hits + excluded.hits, input_tokens = input_tokens + excluded.input_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
						output_tokens = output_tokens + excluded.output_tokens, cost = cost + excluded.cost`,
					...key,
					...values,
				);
			}
		});
	}

	/** Returns the newest calls before `id` (a page's `next`) that match a filter. */
	getCallPage(filter: TextCallFilter, id: number | undefined, limit: number): TextCallRows {
		const end = id ?? Number.MAX_SAFE_INTEGER;
		const last = this.#db.get<{ id: number | null }>('SELECT max(id) AS id FROM text_calls WHERE id < ?', end)?.id;
		if (last == null) {
			return { rows: [] };
		}
		const most = filter.keyword === undefined ? lookedAt : searchedAt;
		const first = Math.max(last - most + 1, filter.after === undefined ? 0 : this.#findFirstSince(filter.after, last));
		const conditions = [
			["? IN (model, substr(model, 1, instr(model || ' → ', ' → ') - 1))", filter.model],
			['agent = ?', filter.agent],
			[`instr(lower(${searchedText}), ?) > 0`, filter.keyword?.replace(/[A-Z]/g, letter => letter.toLowerCase())],
			['at <= ?', filter.before],
			['at >= ?', filter.after],
		].filter((each): each is [string, string | number] => each[1] !== undefined);
		const status = filter.status === undefined ? '' : ` AND error IS ${filter.status === 'failed' ? 'NOT ' : ''}NULL`;
		const rows = this.#db.getRows<TextCallRows['rows'][number]>(
			`SELECT id, ${columns} FROM text_calls WHERE id BETWEEN ? AND ?${conditions.map(([sql]) => ` AND ${sql}`).join('')}${status} ORDER BY id DESC LIMIT ?`,
			first,
			last,
			...conditions.map(([, value]) => value),
			limit,
		);
		const lowest = rows.length === limit ? (rows.at(-1)?.id ?? first) : first;
		const older = this.#db.get<{ at: number }>('SELECT at FROM text_calls WHERE id < ? ORDER BY id DESC LIMIT 1', lowest);
		const hasMore = older !== undefined && (filter.after === undefined || older.at >= filter.after);
		return { rows, ...(hasMore && { next: lowest }) };
	}

	/** Returns the bodies of a call. Undefined if the call is unknown, null if its bodies weren't stored. */
	getBodies(id: number): { readonly request: string | null; readonly reply: string | null } | undefined {
		return this.#db.get('SELECT request, reply FROM text_calls WHERE id = ?', id);
	}

	/**
	 * Returns totals of calls between two days, both included (`2026-01-31`), for each value of a group. Days are sorted by date, others by
	 * cost.
	 */
	getUsage(from: string, to: string, by: UsageGroup): readonly UsageRow[] {
		const sums = ['calls', 'failed', 'hits', 'input_tokens', 'cached_tokens', 'output_tokens', 'cost'].map(
			name => `sum(${name}) AS ${name}`,
		);
		const order = by === 'day' ? 'day DESC' : 'sum(cost) DESC, sum(input_tokens + output_tokens) DESC';
		return this.#db.getRows<UsageRow>(
			`SELECT ${by} AS name, currency, ${sums.join(', ')} FROM text_usage WHERE day BETWEEN ? AND ? GROUP BY ${by}, currency ORDER BY ${order} LIMIT 5000`,
			from,
			to,
		);
	}

	/** Returns the time of the newest call until `now`, if any (Unix milliseconds). */
	getNewestTime(now: number): number | undefined {
		const newest = 'SELECT max(at) AS at FROM (SELECT at FROM text_calls WHERE at <= ? ORDER BY id DESC LIMIT 100)';
		return this.#db.get<{ at: number | null }>(newest, now)?.at ?? undefined;
	}

	/**
	 * Deletes up to `limit` calls made before `time`, but keeps their totals. Calls with a later time than `now` don't count, because a clock
	 * that was ahead once would keep all later calls. Returns the number of deleted calls.
	 */
	deleteCallsBefore(time: number, limit: number, now = Date.now()): number {
		const oldest = 'SELECT id FROM text_calls WHERE at <= ? ORDER BY id LIMIT ?';
		return this.#db.run(`DELETE FROM text_calls WHERE id IN (${oldest}) AND at < ?`, now, limit, time).changes;
	}

	/**
	 * Returns the first call that may have started since a time. Calls are numbered by their end, so this may include slow calls that started
	 * earlier.
	 */
	#findFirstSince(time: number, last: number): number {
		let [from, to] = [0, last + 1];
		while (from < to) {
			const middle = Math.floor((from + to) / 2);
			const row = this.#db.get<{ id: number; ended: number }>(
				'SELECT id, at + elapsed AS ended FROM text_calls WHERE id >= ? ORDER BY id LIMIT 1',
				middle,
			);
			if (row === undefined || row.ended >= time) {
				to = middle;
			} else {
				from = row.id + 1;
			}
		}
		return from;
	}
}

/** Values to add to a row of the usage: day, model, agent, currency; calls, failed, hits, input, cached, output, cost. */
interface Sum {
	readonly key: readonly [string, string, string, string];
	readonly values: [number, number, number, number, number, number, number];
}

function addToSums(sums: Map<string, Sum>, row: TextCallRow): void {
	// a day starts at a quarter hour in every time zone
	const name = `${Math.floor(row.at / 900_000)}\0${row.model}\0${row.agent}\0${row.currency}`;
	let sum = sums.get(name);
	if (sum === undefined) {
		sum = { key: [formatCalendarDay(row.at), row.model, row.agent, row.currency], values: [0, 0, 0, 0, 0, 0, 0] };
		sums.set(name, sum);
	}
	const { values } = sum;
	values[0]++;
	values[1] += row.error === null ? 0 : 1;
	values[2] += row.hit;
	values[3] += row.input_tokens ?? 0;
	values[4] += row.cached_tokens ?? 0;
	values[5] += row.output_tokens ?? 0;
	values[6] += row.cost ?? 0;
}

function toColumns(row: TextCallRow) {
	return [
		row.at,
		row.endpoint,
		row.model,
		row.route,
		row.provider,
		row.status,
		row.user,
		row.agent,
		row.run,
		row.tries,
		row.hit,
		row.elapsed,
		row.input_tokens,
		row.cached_tokens,
		row.output_tokens,
		row.cost,
		row.currency,
		row.error,
		row.request,
		row.reply,
	];
}
