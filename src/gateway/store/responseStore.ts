import type { Database } from './database.ts';

/**
 * A stored response of /v1/responses. `created_at` is in Unix milliseconds. The others are JSON: `head` is the response without output,
 * `input` and `output` are lists of items.
 */
export interface ResponseRow {
	readonly id: string;
	/** ID of the response that this one continues. */
	readonly previous: string | null;
	/** Conversation of the agent that responded. */
	readonly conversation: string | null;
	readonly created_at: number;
	readonly head: string;
	/** Items that the request added. */
	readonly input: string;
	readonly output: string;
}

/** The parts of a response needed to continue its conversation. */
export type ChainedRow = Omit<ResponseRow, 'created_at' | 'head'>;

/** Why a conversation can't be continued. */
type ChainGap = { readonly missing: string } | { readonly tooLong: number };

/** Maximum size of all responses in bytes. If there are more, the oldest are deleted. */
const defaultMaxBytes = 1024 ** 3;
/** Number of responses deleted at once. */
const deletedAtOnce = 10;

/** Responses of /v1/responses, which later requests can continue. */
export class ResponseStore {
	readonly #db: Database;
	readonly #maxBytes: number;
	#bytes: number;

	constructor(db: Database, maxBytes = defaultMaxBytes) {
		this.#db = db;
		this.#maxBytes = maxBytes;
		this.#bytes = db.get<{ bytes: number | null }>('SELECT sum(bytes) AS bytes FROM responses')?.bytes ?? 0;
	}

	/**
	 * Saves a response, and deletes the oldest ones if the total size is too large.
	 * @param items IDs of the response's output items
	 */
	add(row: ResponseRow, items: readonly string[]): void {
		const bytes = Buffer.byteLength(row.head) + Buffer.byteLength(row.input) + Buffer.byteLength(row.output);
		this.#db.runTransaction(() => {
			this.#db.run(
				`INSERT INTO responses (id, previous, thread, conversation, created_at, bytes, head, input, output)
				VALUES (?1, ?2, coalesce((SELECT thread FROM responses WHERE id = ?2), ?1), ?3, ?4, ?5, ?6, ?7, ?8)`,
				row.id,
				row.previous,
				row.conversation,
				row.created_at,
				bytes,
				row.head,
				row.input,
				row.output,
			);
			for (const item of items) {
				this.#db.run('INSERT INTO response_items (id, response) SELECT ?, seq FROM responses WHERE id = ?', item, row.id);
			}
		});
		this.#bytes += bytes;
		while (this.#bytes > this.#maxBytes && this.#remove('SELECT seq FROM responses ORDER BY seq LIMIT ?', deletedAtOnce) > 0);
	}

	get(id: string): ResponseRow | undefined {
		return this.#db.get('SELECT * FROM responses WHERE id = ?', id);
	}

	/**
	 * Returns a response and those that it continues, oldest first. If one of them isn't stored, or input and output together have more than
	 * `maxBytes`, returns that problem instead.
	 */
	getResponseChain(id: string, maxBytes: number): readonly ChainedRow[] | ChainGap {
		const rows: ChainedRow[] = [];
		let bytes = 0;
		for (let next: string | null = id; next !== null; ) {
			const row: ChainedRow | undefined = this.#db.get(
				'SELECT id, previous, conversation, input, output FROM responses WHERE id = ?',
				next,
			);
			if (!row) {
				return { missing: next };
			}
			bytes += row.input.length + row.output.length;
			if (bytes > maxBytes) {
				return { tooLong: bytes };
			}
			rows.push(row);
			next = row.previous;
		}
		return rows.reverse();
	}

	/** Returns the number of responses of a conversation that continue a first response, in all branches. */
	countResponses(first: string, conversation: string): number {
		const sql = 'SELECT count(*) AS count FROM responses WHERE thread = ? AND conversation = ?';
		return this.#db.get<{ count: number }>(sql, first, conversation)?.count ?? 0;
	}

	/** Returns the response that contains an item. */
	findResponseByItem(item: string): ResponseRow | undefined {
		return this.#db.get('SELECT responses.* FROM responses JOIN response_items ON response = seq WHERE response_items.id = ?', item);
	}

	/** Deletes a response. Returns false if the ID is unknown. */
	delete(id: string): boolean {
		return this.#remove('SELECT seq FROM responses WHERE id = ?', id) > 0;
	}

	/** Deletes up to `limit` responses of conversations that were last continued before `time` (Unix milliseconds). Returns their number. */
	deleteResponsesBefore(time: number, limit: number): number {
		return this.#remove(
			'SELECT seq FROM responses WHERE thread IN (SELECT thread FROM responses GROUP BY thread HAVING max(created_at) < ?1 LIMIT ?2) LIMIT ?2',
			time,
			limit,
		);
	}

	#remove(selection: string, ...values: readonly (string | number)[]): number {
		return this.#db.runTransaction(() => {
			const rows = this.#db.getRows<{ seq: number; bytes: number }>(
				`SELECT seq, bytes FROM responses WHERE seq IN (${selection})`,
				...values,
			);
			for (const { seq, bytes } of rows) {
				this.#db.run('DELETE FROM responses WHERE seq = ?', seq);
				this.#bytes -= bytes;
			}
			return rows.length;
		});
	}
}
