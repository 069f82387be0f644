import type { Database } from './database.ts';

/** A reply of a model as it is kept to be given again. */
interface KeptReply {
	/** JSON of what belongs to the body: headers, tokens. */
	readonly head: string;
	readonly body: Uint8Array;
}

/** How much is kept. */
export interface ReplyCacheSize {
	readonly entries: number;
	readonly bytes: number;
}

/** Replies of models by the hash of their whole request. */
export class ReplyStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	/** A reply that is not older than `after` (Unix milliseconds). */
	get(key: string, after: number): KeptReply | undefined {
		return this.#db.get<KeptReply>('SELECT head, body FROM model_replies WHERE key = ? AND at >= ?', key, after);
	}

	/** Keeps a reply of a route, and as many of the route's others as `maxBytes` leave room for, the newest first. One that is longer is not kept. */
	keep(key: string, route: string, { head, body }: KeptReply, maxBytes: number, now: number): void {
		if (body.length > maxBytes) {
			return;
		}
		this.#db.transaction(() => {
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
					? this.#db.all<{ key: string; size: number }>('SELECT key, size FROM model_replies WHERE route = ? ORDER BY at', route)
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

	size(): ReplyCacheSize {
		return (
			this.#db.get<ReplyCacheSize>('SELECT count(*) AS entries, ifnull(sum(size), 0) AS bytes FROM model_replies') ?? {
				entries: 0,
				bytes: 0,
			}
		);
	}

	/** Forgets all; returns how much it was. */
	clear(): ReplyCacheSize {
		const size = this.size();
		this.#db.run('DELETE FROM model_replies');
		return size;
	}
}
