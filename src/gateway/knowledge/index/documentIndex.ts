import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { maxFileBytes, maxFiles, readScannedFile, scanFolder } from '#base/files/folderScan.ts';
import { queryRows, runInTransaction } from './indexQueries.ts';
import { readFrontMatter } from './sections.ts';
import { SegmentStore } from './segmentStore.ts';
import { splitSegments } from './segments.ts';

/** Maximum documents and milliseconds for a step that looks for a changed document. */
const inOneGo = 50;
const oneGoMs = 50;
/** Maximum attempts to read a document that crashes the thread. */
const maxAttempts = 2;
const markdownName = /\.(?:md|markdown|mdx)$/i;

/** Numbers of documents in a folder. */
export interface FolderCount {
	/** Documents that are or will be searchable. */
	readonly documents: number;
	/** Documents whose file hasn't been read yet. */
	readonly waiting: number;
	/** Files of an unsupported kind or size. */
	readonly left_out: number;
	readonly failed: number;
	readonly segments: number;
	/** Segments with a vector of the requested model. */
	readonly embedded: number;
}

/** A document to read. Its text is passed to `saveDocument`. */
export interface ReadDocument {
	readonly id: number;
	readonly hash: string;
	readonly path: string;
	readonly bytes: Uint8Array;
}

/** Result of reading a document. */
export type DocumentText = { readonly text: string } | { readonly problem: string; readonly state: 'left out' | 'failed' };

/** Keeps the index of folders up to date. Must only be used in the index thread, because nothing here is fast. */
export class DocumentIndex {
	/** Segments of the documents. */
	readonly segments: SegmentStore;
	readonly #db: DatabaseSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
		this.segments = new SegmentStore(db);
	}

	/**
	 * Finds files that were added, removed or changed. Documents that can't be read now stay as they were. Returns a message about skipped
	 * parts of the folder. Throws the system's error if the folder can't be read, in which case its index stays unchanged.
	 */
	scanFolder(folder: string): string | undefined {
		const { files, more, unreadable } = scanFolder(folder);
		const known = new Map(
			queryRows<DocumentRow>(this.#db, 'SELECT id, path, size, modified FROM documents WHERE folder = ?', folder).map(row => [
				row.path,
				row,
			]),
		);
		runInTransaction(this.#db, () => {
			const add = this.#db.prepare(
				`INSERT INTO documents (folder, path, size, modified, created, state, problem) VALUES (?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (folder, path) DO UPDATE SET size = excluded.size, modified = excluded.modified, created = excluded.created,
				state = excluded.state, problem = excluded.problem, attempts = 0, hash = iif(excluded.state = 'waiting', hash, NULL)`,
			);
			for (const file of files) {
				const row = known.get(file.path);
				known.delete(file.path);
				if (row?.size === file.size && row.modified === file.modified) {
					continue;
				}
				const tooLarge = file.size > maxFileBytes;
				const problem = tooLarge ? `is larger than ${maxFileBytes / 1024 / 1024} MB` : null;
				add.run(folder, file.path, file.size, file.modified, file.created, tooLarge ? 'left out' : 'waiting', problem);
				if (tooLarge && row) {
					this.segments.replaceSegments(row.id, []);
				}
			}
			// what can't be read now may be there again later, and its vectors may have been paid for
			const unknown = new Set(unreadable);
			for (const { id, path } of known.values()) {
				if (!isWithin(path, unknown)) {
					this.#removeDocument(id);
				}
			}
		});
		return (
			[
				...(more ? [`only the first ${maxFiles} files are searched`] : []),
				...(unreadable.length > 0 ? [`${unreadable.length} of its files and folders can't be read, for example ${unreadable[0]}`] : []),
			].join('; ') || undefined
		);
	}

	/**
	 * Returns the next document of a folder whose bytes have changed, if any. Marks unreadable documents as failed and skips them. Returns
	 * `more` if it has to be called again.
	 */
	findNextDocument(folder: string): ReadDocument | 'more' | undefined {
		const waiting = `SELECT id, path, hash, attempts FROM documents WHERE folder = ? AND state = 'waiting' LIMIT ${inOneGo}`;
		const rows = queryRows<DocumentRow>(this.#db, waiting, folder);
		const until = performance.now() + oneGoMs;
		for (const row of rows) {
			if (performance.now() > until) {
				break;
			}
			if (row.attempts >= maxAttempts) {
				this.#setState(row.id, 'failed', 'crashed the indexing thread');
				continue;
			}
			try {
				const bytes = readScannedFile(folder, row.path);
				if (!bytes) {
					this.#removeDocument(row.id);
					continue;
				}
				const hash = createHash('sha256').update(bytes).digest('base64url');
				if (hash !== row.hash) {
					this.#db.prepare('UPDATE documents SET attempts = attempts + 1 WHERE id = ?').run(row.id);
					return { id: row.id, hash, path: row.path, bytes };
				}
				this.#setState(row.id, 'ready');
			} catch (error) {
				this.#onReadError(row.id, error);
			}
		}
		return rows.length > 0 ? 'more' : undefined;
	}

	/**
	 * Saves the content of a document. Keeps unchanged segments and their vectors. Does nothing if the document was deleted meanwhile. A
	 * document without text has no hash afterwards, so that it's read again when its file changes, regardless of its earlier content.
	 */
	saveDocument(document: Pick<ReadDocument, 'id' | 'hash' | 'path'>, read: DocumentText): void {
		const markdown = markdownName.test(document.path);
		const segments = 'text' in read ? splitSegments(read.text, markdown) : [];
		const front = 'text' in read && markdown ? readFrontMatter(read.text) : {};
		runInTransaction(this.#db, () => {
			const update = this.#db.prepare('UPDATE documents SET hash = ?, state = ?, problem = ?, attempts = 0, front_matter = ? WHERE id = ?');
			const [hash, state, problem] = 'text' in read ? [document.hash, 'ready', null] : [null, read.state, read.problem];
			if (update.run(hash, state, problem, JSON.stringify(front), document.id).changes > 0) {
				this.segments.replaceSegments(document.id, segments);
			}
		});
	}

	countDocuments(folder: string, model: string | undefined): FolderCount {
		const states = new Map(
			queryRows<{ state: string; count: number }>(
				this.#db,
				'SELECT state, count(*) AS count FROM documents WHERE folder = ? GROUP BY state',
				folder,
			).map(({ state, count }) => [state, count]),
		);
		const queryCount = (sql: string, ...values: SQLInputValue[]) => queryRows<{ count: number }>(this.#db, sql, ...values)[0]?.count ?? 0;
		const inFolder = 'FROM segments JOIN documents ON documents.id = document';
		const [ready, waiting] = [states.get('ready') ?? 0, states.get('waiting') ?? 0];
		return {
			documents: ready + waiting,
			waiting,
			left_out: states.get('left out') ?? 0,
			failed: states.get('failed') ?? 0,
			segments: queryCount(`SELECT count(*) AS count ${inFolder} WHERE folder = ?`, folder),
			embedded:
				model === undefined
					? 0
					: queryCount(
							`SELECT count(*) AS count ${inFolder} JOIN vectors ON segment = segments.id WHERE folder = ? AND model = ?`,
							folder,
							model,
						),
		};
	}

	/** Returns the documents of a folder that can't be searched, with the reason. */
	getProblems(folder: string, limit: number): readonly { readonly path: string; readonly problem: string }[] {
		return queryRows(
			this.#db,
			"SELECT path, problem FROM documents WHERE folder = ? AND state IN ('failed', 'left out') ORDER BY state, path LIMIT ?",
			folder,
			limit,
		);
	}

	/** Forgets the attempts of an earlier process, which may have been stopped for other reasons while it read a document. */
	forgetAttempts(): void {
		this.#db.prepare('UPDATE documents SET attempts = 0 WHERE attempts > 0').run();
	}

	/** Removes all folders except these, and vectors of all models except these. */
	removeOtherFolders(folders: readonly string[], models: readonly string[]): void {
		const others = 'SELECT id FROM documents WHERE folder NOT IN (SELECT value FROM json_each(?))';
		runInTransaction(this.#db, () => {
			for (const { id } of queryRows<{ id: number }>(this.#db, others, JSON.stringify(folders))) {
				this.#removeDocument(id);
			}
			this.#db.prepare('DELETE FROM vectors WHERE model NOT IN (SELECT value FROM json_each(?))').run(JSON.stringify(models));
		});
	}

	/** Removes a folder from the index. */
	removeFolder(folder: string): void {
		runInTransaction(this.#db, () => {
			for (const { id } of queryRows<{ id: number }>(this.#db, 'SELECT id FROM documents WHERE folder = ?', folder)) {
				this.#removeDocument(id);
			}
		});
	}

	#onReadError(id: number, error: unknown): void {
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		if (code === 'ENOENT' || code === 'ENOTDIR') {
			runInTransaction(this.#db, () => this.#removeDocument(id));
			return;
		}
		if (code === '' || code.startsWith('ERR_SQLITE')) {
			throw error;
		}
		runInTransaction(this.#db, () => {
			this.segments.replaceSegments(id, []);
			this.#setState(id, 'failed', `can't be read (${code})`);
		});
	}

	#setState(id: number, state: string, problem: string | null = null): void {
		this.#db.prepare('UPDATE documents SET state = ?, problem = ?, attempts = 0 WHERE id = ?').run(state, problem, id);
		if (state === 'failed') {
			// read the document when it changes again, regardless of its earlier content
			this.#db.prepare('UPDATE documents SET hash = NULL WHERE id = ?').run(id);
		}
	}

	#removeDocument(document: number): void {
		this.segments.removeDocument(document);
		this.#db.prepare('DELETE FROM documents WHERE id = ?').run(document);
	}
}

/** True if a path or one of the folders around it is among the paths. */
function isWithin(path: string, paths: ReadonlySet<string>): boolean {
	return paths.size > 0 && path.split('/').some((_, depth, names) => paths.has(names.slice(0, depth + 1).join('/')));
}

interface DocumentRow {
	readonly id: number;
	readonly path: string;
	readonly size: number;
	readonly modified: number;
	readonly hash: string | null;
	readonly attempts: number;
}
