import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { queryRows, runInTransaction } from './indexQueries.ts';
import { toIndexText } from './searchTerms.ts';
import type { Segment } from './segments.ts';
import { normalizeVector, toBytes } from './vectors.ts';

/** A segment and its vector from a model. */
export interface SegmentVector {
	readonly segment: number;
	readonly vector: Float32Array;
}

/** Segments of documents, with their words and vectors. */
export class SegmentStore {
	readonly #db: DatabaseSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
	}

	/** Returns segments that have no vector from this model, with the text to embed. */
	getUnembedded(folder: string, model: string, limit: number): readonly { readonly segment: number; readonly text: string }[] {
		const rows = queryRows<{ id: number; headings: string; text: string }>(
			this.#db,
			`SELECT segments.id, headings, text FROM segments JOIN documents ON documents.id = document
			WHERE folder = ? AND NOT EXISTS (SELECT 1 FROM vectors WHERE segment = segments.id AND model = ?) LIMIT ?`,
			folder,
			model,
			limit,
		);
		return rows.map(({ id, headings, text }) => ({ segment: id, text: formatSegment(headings, text) }));
	}

	/**
	 * Saves vectors of segments that still exist. Throws if their length differs from that of existing vectors from this model in the folder.
	 */
	addVectors(folder: string, model: string, vectors: readonly SegmentVector[]): void {
		const [kept] = queryRows<{ bytes: number }>(
			this.#db,
			`SELECT length(vector) AS bytes FROM documents JOIN segments ON document = documents.id JOIN vectors ON segment = segments.id
			WHERE folder = ? AND model = ? LIMIT 1`,
			folder,
			model,
		);
		const wrong = kept && vectors.find(({ vector }) => vector.byteLength !== kept.bytes);
		if (kept && wrong) {
			throw new Error(
				`The model returned vectors of ${wrong.vector.length} numbers instead of ${kept.bytes / 4}. Reindex the dataset if this is intended`,
			);
		}
		runInTransaction(this.#db, () => {
			const insert = this.#db.prepare('INSERT OR REPLACE INTO vectors (segment, model, vector) SELECT id, ?, ? FROM segments WHERE id = ?');
			for (const { segment, vector } of vectors) {
				insert.run(model, toBytes(normalizeVector(vector)), segment);
			}
		});
	}

	/** Replaces the segments of a document. Unchanged segments stay, with their vectors. Must be called within a transaction. */
	replaceSegments(document: number, segments: readonly Segment[]): void {
		const old = new Map<string, number[]>();
		for (const { id, hash } of queryRows<{ id: number; hash: string }>(
			this.#db,
			'SELECT id, hash FROM segments WHERE document = ? ORDER BY position DESC',
			document,
		)) {
			const same = old.get(hash);
			if (same) {
				same.push(id);
			} else {
				old.set(hash, [id]);
			}
		}
		const move = this.#db.prepare('UPDATE segments SET position = ? WHERE id = ?');
		const insert = this.#db.prepare('INSERT INTO segments (document, position, headings, text, hash) VALUES (?, ?, ?, ?, ?)');
		const index = this.#db.prepare('INSERT INTO segment_words (rowid, headings, text) VALUES (?, ?, ?)');
		const [{ path: name = '' } = {}] = queryRows<{ path: string }>(this.#db, 'SELECT path FROM documents WHERE id = ?', document);
		for (const [at, { headings, text }] of segments.entries()) {
			const hash = createHash('sha256')
				.update(JSON.stringify([headings, text]))
				.digest('base64url');
			const same = old.get(hash)?.pop();
			if (same !== undefined) {
				move.run(at + 1, same);
				continue;
			}
			const { lastInsertRowid: id } = insert.run(document, at + 1, JSON.stringify(headings), text, hash);
			index.run(id, toIndexText([name, ...headings].join(' ')), toIndexText(text));
		}
		this.#removeSegment([...old.values()].flat());
	}

	/** Removes all segments of a document. Must be called within a transaction. */
	removeDocument(document: number): void {
		this.#removeSegment(queryRows<{ id: number }>(this.#db, 'SELECT id FROM segments WHERE document = ?', document).map(({ id }) => id));
	}

	#removeSegment(ids: readonly number[]): void {
		const list = JSON.stringify(ids);
		for (const sql of ['segment_words WHERE rowid', 'vectors WHERE segment', 'segments WHERE id']) {
			this.#db.prepare(`DELETE FROM ${sql} IN (SELECT value FROM json_each(?))`).run(list);
		}
	}
}

/** Returns the text of a segment for results and embedding, including its headings. */
export function formatSegment(headingsJson: string, text: string): string {
	const headings = JSON.parse(headingsJson) as readonly string[];
	return headings.length > 0 ? `${headings.join(' > ')}\n${text}` : text;
}
