import { DatabaseSync } from 'node:sqlite';
import { removeIndexFile } from '../../process/indexFiles.ts';

/** Version of the tables; an index of another version is recreated. */
const version = 1;

/** SQLite's primary result codes for a file that is damaged, isn't a database, or has other tables. */
const damageCodes = [1, 11, 26];

/**
 * Opens the index of documents. Creates a new one if there is none or it's damaged, because it can be rebuilt from the folders. Throws for a
 * full disk and other errors that pass: the vectors of an index may have been paid for.
 */
export function openIndexFile(file: string): DatabaseSync {
	try {
		return openDatabase(file);
	} catch (error) {
		if (error instanceof Error && 'errcode' in error && !damageCodes.includes(Number(error.errcode) & 0xff)) {
			throw error;
		}
		removeIndexFile(file);
		return openDatabase(file);
	}
}

function openDatabase(file: string): DatabaseSync {
	const db = new DatabaseSync(file, { timeout: 5_000 });
	try {
		// a vector of 1,536 numbers has 6 KB and wouldn't fit into a small page
		db.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384');
		const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
		if (found !== 0 && found !== version) {
			throw new Error(`Unsupported index version ${found}`);
		}
		db.exec(tables);
		db.exec(`PRAGMA user_version = ${version}`);
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

// a document is `waiting` until its file has been read; until then, its previous segments can be found
const tables = `
	CREATE TABLE IF NOT EXISTS documents (
		id INTEGER PRIMARY KEY,
		folder TEXT NOT NULL,
		path TEXT NOT NULL,
		size INTEGER NOT NULL,
		modified REAL NOT NULL,
		created REAL NOT NULL,
		hash TEXT,
		state TEXT NOT NULL CHECK (state IN ('waiting', 'ready', 'left out', 'failed')),
		problem TEXT,
		attempts INTEGER NOT NULL DEFAULT 0,
		front_matter TEXT NOT NULL DEFAULT '{}',
		UNIQUE (folder, path)
	);
	CREATE INDEX IF NOT EXISTS documents_waiting ON documents (folder) WHERE state = 'waiting';
	CREATE TABLE IF NOT EXISTS segments (
		id INTEGER PRIMARY KEY,
		document INTEGER NOT NULL,
		position INTEGER NOT NULL,
		headings TEXT NOT NULL,
		text TEXT NOT NULL,
		hash TEXT NOT NULL
	);
	CREATE INDEX IF NOT EXISTS segments_document ON segments (document, position);
	CREATE TABLE IF NOT EXISTS vectors (
		segment INTEGER NOT NULL,
		model TEXT NOT NULL,
		vector BLOB NOT NULL,
		PRIMARY KEY (segment, model)
	);
	CREATE VIRTUAL TABLE IF NOT EXISTS segment_words USING fts5 (
		headings, text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
	);
	SELECT rowid FROM segment_words WHERE segment_words MATCH '"abc"' LIMIT 1;`;
