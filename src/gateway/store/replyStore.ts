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

/** Number of replies deleted at once. */
const deletedAtOnce = 20;

/** Cached replies of models, by the hash of their whole request. */
export class ReplyStore {
	readonly #db: Database;
	/** Bytes of the saved replies by route. Adding them up for each reply takes a third of a second in a full cache. */
	readonly #bytes = new Map<string, number>();

	constructor(db: Database) {
		this.#db = db;
	}

	/**
	 * Returns a reply that isn't older than `after` (Unix milliseconds). One with a later time than `now` is from a clock that was ahead, so
	 * its age isn't known.
	 */
	get(key: string, after: number, now = Date.now()): KeptReply | undefined {
		return this.#db.get<KeptReply>('SELECT head, body FROM model_replies WHERE key = ? AND at BETWEEN ? AND ?', key, after, now);
	}

	/** Saves a reply of a route, and deletes the route's oldest replies beyond `maxBytes`. A reply longer than that isn't saved. */
	add(key: string, route: string, { head, body }: KeptReply, maxBytes: number, now: number): void {
		if (body.length > maxBytes) {
			return;
		}
		// unknown until the transaction has succeeded
		let bytes = this.#getBytes(route);
		this.#bytes.delete(route);
		this.#db.runTransaction(() => {
			// the key of a reply contains its route
			const before = this.#db.get<{ size: number }>('DELETE FROM model_replies WHERE key = ? RETURNING size', key);
			bytes += body.length - (before?.size ?? 0);
			this.#db.run(
				'INSERT INTO model_replies (key, route, at, size, head, body) VALUES (?, ?, ?, ?, ?, ?)',
				key,
				route,
				now,
				body.length,
				head,
				body,
			);
			while (bytes > maxBytes) {
				bytes -= this.#deleteOldest(route, bytes - maxBytes);
			}
		});
		this.#bytes.set(route, bytes);
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
		this.#bytes.clear();
		return size;
	}

	/** Deletes some of a route's oldest replies, up to `over` bytes and one more reply. Returns the deleted bytes. */
	#deleteOldest(route: string, over: number): number {
		let deleted = 0;
		const oldest = 'SELECT key, size FROM model_replies WHERE route = ? ORDER BY at LIMIT ?';
		for (const row of this.#db.getRows<{ key: string; size: number }>(oldest, route, deletedAtOnce)) {
			if (deleted >= over) {
				break;
			}
			this.#db.run('DELETE FROM model_replies WHERE key = ?', row.key);
			deleted += row.size;
		}
		return deleted > 0 ? deleted : over;
	}

	#getBytes(route: string): number {
		return (
			this.#bytes.get(route) ??
			this.#db.get<{ bytes: number | null }>('SELECT sum(size) AS bytes FROM model_replies WHERE route = ?', route)?.bytes ??
			0
		);
	}
}
