import type { Database } from './database.ts';

/** A cached reply of a model. */
interface KeptReply {
	/** JSON of the headers and the token counts of the body. */
	readonly head: string;
	readonly body: Uint8Array;
}

/** Size of the cache. */
export interface ReplyCacheSize {
	readonly entries: number;
	readonly bytes: number;
}

/** Cached replies of models, by the hash of their whole request. */
export class ReplyStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** Returns a reply that isn't older than `after` (Unix milliseconds). */
	get(key: string, after: number): KeptReply | undefined {
		return this.#db.get<KeptReply>('SELECT head, body FROM model_replies WHERE key = ? AND at >= ?', key, after);
	}

	/** Saves a reply of a route, and deletes the route's oldest replies beyond `maxBytes`. A reply longer than that isn't saved. */
	add(key: string, route: string, { head, body }: KeptReply, maxBytes: number, now: number): void {
		if (body.length > maxBytes) {
			return;
		}
		this.#db.runTransaction(() => {
			this.#db.run(
				'INSERT OR REPLACE INTO model_replies (key, route, at, size, head, body) VALUES (?, ?, ?, ?, ?, ?)',
				key,
				route,
				now,
				body.length,
				head,
				body,
			);
			let over =
				(this.#db.get<{ bytes: number }>('SELECT sum(size) AS bytes FROM model_replies WHERE route = ?', route)?.bytes ?? 0) - maxBytes;
			const oldest =
				over > 0
					? this.#db.getRows<{ key: string; size: number }>('SELECT key, size FROM model_replies WHERE route = ? ORDER BY at', route)
					: [];
			for (const row of oldest) {
				if (over <= 0) {
					break;
				}
				this.#db.run('DELETE FROM model_replies WHERE key = ?', row.key);
				over -= row.size;
			}
		});
	}

	getSize(): ReplyCacheSize {
		return (
			this.#db.get<ReplyCacheSize>('SELECT count(*) AS entries, ifnull(sum(size), 0) AS bytes FROM model_replies') ?? {
				entries: 0,
				bytes: 0,
			}
		);
	}

	/** Deletes everything, and returns the size that the cache had. */
	clear(): ReplyCacheSize {
		const size = this.getSize();
		this.#db.run('DELETE FROM model_replies');
		return size;
	}
}
