import { calendarDay } from '#base/text/calendarDay.ts';
import type { Database } from './database.ts';

/** A call of text generation as it is kept. Numbers that are not known are null; times in Unix milliseconds, spans in milliseconds. */
export interface TextCallRow {
	readonly at: number;
	readonly endpoint: string;
	readonly model: string;
	/** Route that answered, by its name or pattern; empty where the call did not come to one. */
	readonly route: string;
	readonly provider: string;
	readonly status: number;
	readonly user: string;
	readonly agent: string;
	readonly run: string;
	readonly tries: number;
	/** Whether the reply came from the cache. */
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

/** What a list of calls is narrowed down to. */
interface TextCallFilter {
	readonly model?: string;
	readonly agent?: string;
	/** `failed`: those with an error. */
	readonly status?: 'succeeded' | 'failed';
	/** Both included, in Unix milliseconds. */
	readonly after?: number;
	readonly before?: number;
}

/** A page of calls, newest first; `next` is where the one after it begins, undefined at the end. */
export interface TextCallRows {
	readonly rows: readonly (Omit<TextCallRow, 'request' | 'reply'> & { readonly id: number })[];
	readonly next?: number;
}

/** What usage is told by. */
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

/** Calls that are looked at for one page: where few fit the filter, the next page goes on behind them, and nobody else waits for long. */
const lookedAt = 20_000;

const columns = `at, endpoint, model, route, provider, status, user, agent, run, tries, hit, elapsed, input_tokens, cached_tokens, output_tokens, cost,
	currency, error`;
const insertion = `INSERT INTO text_calls (${columns}, request, reply) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Calls of text generation, and their sums, which outlive them. */
export class TextCallStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Writes calls that have ended, in one transaction. */
	add(rows: readonly TextCallRow[]): void {
		const sums = new Map<string, Sum>();
		this.#db.transaction(() => {
			this.#db.runEach(insertion, rows.map(columnsOf));
			for (const row of rows) {
				addTo(sums, row);
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

	/** The newest calls before `id` (a page's `next`) that fit a filter. */
	page(filter: TextCallFilter, id: number | undefined, limit: number): TextCallRows {
		const end = id ?? Number.MAX_SAFE_INTEGER;
		const last = this.#db.get<{ id: number | null }>('SELECT max(id) AS id FROM text_calls WHERE id < ?', end)?.id;
		if (last == null) {
			return { rows: [] };
		}
		const first = Math.max(last - lookedAt + 1, filter.after === undefined ? 0 : this.#firstSince(filter.after, last));
		const conditions = [
			["? IN (model, substr(model, 1, instr(model || ' → ', ' → ') - 1))", filter.model],
			['agent = ?', filter.agent],
			['at <= ?', filter.before],
			['at >= ?', filter.after],
		].filter((each): each is [string, string | number] => each[1] !== undefined);
		const status = filter.status === undefined ? '' : ` AND error IS ${filter.status === 'failed' ? 'NOT ' : ''}NULL`;
		const rows = this.#db.all<TextCallRows['rows'][number]>(
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

	/** What was sent and answered in a call; undefined for one that is not there, null where bodies were not kept. */
	bodies(id: number): { readonly request: string | null; readonly reply: string | null } | undefined {
		return this.#db.get('SELECT request, reply FROM text_calls WHERE id = ?', id);
	}

	/** Sums of calls between two days, both included (`2026-01-31`), by one group; days in their order, others by what they cost. */
	usage(from: string, to: string, by: UsageGroup): readonly UsageRow[] {
		const sums = ['calls', 'failed', 'hits', 'input_tokens', 'cached_tokens', 'output_tokens', 'cost'].map(
			name => `sum(${name}) AS ${name}`,
		);
		const order = by === 'day' ? 'day DESC' : 'sum(cost) DESC, sum(input_tokens + output_tokens) DESC';
		return this.#db.all<UsageRow>(
			`SELECT ${by} AS name, currency, ${sums.join(', ')} FROM text_usage WHERE day BETWEEN ? AND ? GROUP BY ${by}, currency ORDER BY ${order} LIMIT 5000`,
			from,
			to,
		);
	}

	/** Deletes up to `limit` calls from before a time; their sums stay. Returns how many it did. */
	deleteBefore(time: number, limit: number): number {
		return this.#db.run('DELETE FROM text_calls WHERE id IN (SELECT id FROM text_calls ORDER BY id LIMIT ?) AND at < ?', limit, time)
			.changes;
	}

	/** Calls are numbered as they end, and so nearly as they begin: the first that may have begun since a time, an hour for slow ones included. */
	#firstSince(time: number, last: number): number {
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

/** What is added to a row of the usage: day, model, agent, currency; calls, failed, hits, input, cached, output, cost. */
interface Sum {
	readonly key: readonly [string, string, string, string];
	readonly values: [number, number, number, number, number, number, number];
}

function addTo(sums: Map<string, Sum>, row: TextCallRow): void {
	// a day begins at a quarter of an hour in every time zone
	const name = `${Math.floor(row.at / 900_000)}\0${row.model}\0${row.agent}\0${row.currency}`;
	let sum = sums.get(name);
	if (sum === undefined) {
		sum = { key: [calendarDay(row.at), row.model, row.agent, row.currency], values: [0, 0, 0, 0, 0, 0, 0] };
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

function columnsOf(row: TextCallRow) {
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
