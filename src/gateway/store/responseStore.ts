import type { Database } from './database.ts';

/** A reply of /v1/responses as it is kept. `created_at` in Unix milliseconds; `head`, `input` and `output` are JSON: the reply without its output, and lists of items. */
export interface ResponseRow {
	readonly id: string;
	/** ID of the reply that this one goes on from. */
	readonly previous: string | null;
	/** Conversation of the agent that answered. */
	readonly conversation: string | null;
	readonly created_at: number;
	readonly head: string;
	/** What its request added. */
	readonly input: string;
	readonly output: string;
}

/** What a conversation is gone on with of one of its replies. */
export type ChainedRow = Omit<ResponseRow, 'created_at' | 'head'>;

/** Why a conversation cannot be gone on with. */
type ChainGap = { readonly missing: string } | { readonly tooLong: number };

/** Bytes that all replies may take together: the oldest go first. */
const defaultMaxBytes = 1024 ** 3;
/** Replies that are deleted at a time. */
const deletedAtOnce = 10;

/** Replies of /v1/responses, which later requests go on from. */
export class ResponseStore {
	readonly #db: Database;
	readonly #maxBytes: number;
	#bytes: number;

	constructor(db: Database, maxBytes = defaultMaxBytes) {
		this.#db = db;
		this.#maxBytes = maxBytes;
		this.#bytes = db.get<{ bytes: number | null }>('SELECT sum(bytes) AS bytes FROM responses')?.bytes ?? 0;
	}

	/** Keeps a reply; `items` are the IDs of those in its output. Where all take too much room together, the oldest go. */
	add(row: ResponseRow, items: readonly string[]): void {
		const bytes = Buffer.byteLength(row.head) + Buffer.byteLength(row.input) + Buffer.byteLength(row.output);
		this.#db.transaction(() => {
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
	 * A reply and those that it builds on, the first one first. In place of them what is wrong: one that is not kept, or more bytes of input and output
	 * than `maxBytes`.
	 */
	chain(id: string, maxBytes: number): readonly ChainedRow[] | ChainGap {
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

	/** The reply that an item belongs to. */
	ofItem(item: string): ResponseRow | undefined {
		return this.#db.get('SELECT responses.* FROM responses JOIN response_items ON response = seq WHERE response_items.id = ?', item);
	}

	/** Deletes a reply. @returns false: there is none of this ID */
	delete(id: string): boolean {
		return this.#remove('SELECT seq FROM responses WHERE id = ?', id) > 0;
	}

	/** Deletes up to `limit` replies of conversations that were last gone on with before `time` (Unix milliseconds); how many it did. */
	deleteBefore(time: number, limit: number): number {
		return this.#remove(
			'SELECT seq FROM responses WHERE thread IN (SELECT thread FROM responses GROUP BY thread HAVING max(created_at) < ?1 LIMIT ?2) LIMIT ?2',
			time,
			limit,
		);
	}

	#remove(selection: string, ...values: readonly (string | number)[]): number {
		return this.#db.transaction(() => {
			const rows = this.#db.all<{ seq: number; bytes: number }>(`SELECT seq, bytes FROM responses WHERE seq IN (${selection})`, ...values);
			for (const { seq, bytes } of rows) {
				this.#db.run('DELETE FROM responses WHERE seq = ?', seq);
				this.#bytes -= bytes;
			}
			return rows.length;
		});
	}
}
