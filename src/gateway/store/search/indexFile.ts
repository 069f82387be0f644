import { DatabaseSync } from 'node:sqlite';
import { removeIndexFile } from '../../process/indexFiles.ts';

/** Version of the index content. An index of another version is rebuilt. */
export const indexVersion = 3;

/** Returns the version of the index in the file; 0 for a new file. */
export function getIndexVersion(db: DatabaseSync): number {
	return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** Opens the index. Creates a new one if the file is damaged or has another version. */
export function openIndex(file: string): DatabaseSync {
	try {
		const db = openDatabase(file);
		const version = getIndexVersion(db);
		if (version === 0 || version === indexVersion) {
			return db;
		}
		db.close();
	} catch {
		// replace the file, like an index of another version
	}
	removeIndexFile(file);
	return openDatabase(file);
}

function openDatabase(file: string): DatabaseSync {
	const db = new DatabaseSync(file, { timeout: 5_000 });
	try {
		db.exec(`
			PRAGMA journal_mode = WAL;
			PRAGMA synchronous = NORMAL;
			PRAGMA cache_size = -16384;
			CREATE VIRTUAL TABLE IF NOT EXISTS run_search USING fts5 (scope, body, content = '', contentless_delete = 1, tokenize = 'trigram');
			CREATE VIRTUAL TABLE IF NOT EXISTS run_search_short USING fts5 (tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
			SELECT rowid FROM run_search WHERE run_search MATCH '"abc"' LIMIT 1;`);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}
