import type { Database } from './database.ts';

/** Maximum number of saved descriptions. */
const mostDescriptions = 20_000;

/** Saved descriptions of agent texts as JSON, by a hash of the text and of the code that described it. */
export class DescriptionStore {
	readonly #db: Database;

	constructor(db: Database) {
		this.#db = db;
	}

	get(key: string): string | undefined {
		return this.#db.get<{ description: string }>('SELECT description FROM agent_descriptions WHERE key = ?', key)?.description;
	}

	/** Saves descriptions by key, and deletes the oldest beyond the limit. */
	addAll(descriptions: ReadonlyMap<string, string>): void {
		this.#db.runTransaction(() => {
			this.#db.runEach('INSERT OR IGNORE INTO agent_descriptions (key, description) VALUES (?, ?)', descriptions);
			this.#db.run('DELETE FROM agent_descriptions WHERE id <= (SELECT max(id) FROM agent_descriptions) - ?', mostDescriptions);
		});
	}
}
