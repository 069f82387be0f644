import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isMetadataMatching, type MetadataFilter } from '#engine/knowledge/metadataFilter.ts';
import { mergeRankedLists } from '../fusion.ts';
import { getSearchTerms } from './searchTerms.ts';
import { formatSegment } from './segmentStore.ts';
import { computeDotProduct, normalizeVector } from './vectors.ts';

/** Maximum results per search method. */
const listLength = 100;
/** In large indexes, terms that occur in more than this share of segments are ignored if there are rarer terms. */
const commonShare = 0.2;
const largeIndex = 1_000;

/** A search query for the index. */
export interface IndexQuery {
	readonly folders: readonly string[];
	readonly text: string;
	/** The question as vectors, one per model. */
	readonly vectors: readonly { readonly model: string; readonly vector: Float32Array }[];
	/** Weights of vectors and keywords; undefined if they are equal. */
	readonly weights: { readonly vector: number; readonly keyword: number } | undefined;
	readonly filter: MetadataFilter | undefined;
	readonly scoreThreshold: number;
	readonly limit: number;
}

/** A matching segment of the index. */
export interface FoundSegment {
	readonly folder: string;
	/** Path of its document, relative to the folder. */
	readonly path: string;
	readonly content: string;
	/** Position in its document, from 1. */
	readonly position: number;
	readonly hash: string;
	readonly metadata: Readonly<Record<string, unknown>>;
	/** 0 to 1. */
	readonly score: number;
	/** Rank for merging with results of other sources (`fused`). */
	readonly rank: number;
}

/** Result of a search. `bestScore` is the best score of all matches, even below the threshold. */
export interface FoundSegments {
	readonly segments: readonly FoundSegment[];
	readonly bestScore: number;
}

/** Searches segments. Must only be used in the index thread, because nothing here is fast. */
export class SegmentSearch {
	readonly #db: DatabaseSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
	}

	/**
	 * Returns the best segments: those with words of the question (BM25) and those with similar vectors (cosine), ordered by their combined
	 * rank. The score of a segment is the similarity of its vector. With weights, it's combined with the share of the question's words in the
	 * segment, where rare words count more. Without a vector, it's that share alone.
	 */
	findSegments(query: IndexQuery): FoundSegments {
		const { weights } = query;
		const documents = this.#getDocumentIds(query);
		const terms = this.#weighTerms(query.text);
		const byWords = this.#findByWords(terms, documents);
		const near = query.vectors.map(({ model, vector }) => this.#findByVector(model, vector, documents));
		const ranked = mergeRankedLists([
			{ things: byWords, weight: weights?.keyword ?? 1 },
			...near.map(({ first }) => ({ things: first, weight: weights?.vector ?? 1 })),
		]);
		const candidates = ranked.map(({ thing }) => thing);
		const shares = this.#getShares(terms, candidates);
		const getScore = (segment: number): number => {
			const share = shares.get(segment) ?? 0;
			const cosine = near.map(({ cosines }) => cosines.get(segment)).find(each => each !== undefined);
			if (cosine === undefined) {
				return share;
			}
			const nearness = Math.max(cosine, 0);
			return weights ? (weights.vector * nearness + weights.keyword * share) / (weights.vector + weights.keyword || 1) : nearness;
		};
		const found: FoundSegment[] = [];
		let bestScore = 0;
		for (const { thing, rank } of ranked) {
			const score = Math.round(getScore(thing) * 10_000) / 10_000;
			bestScore = Math.max(bestScore, score);
			const row = found.length < query.limit && rank > 0 && score >= query.scoreThreshold ? this.#getRow(thing) : undefined;
			if (row) {
				const { folder, path, headings, text, position, hash } = row;
				found.push({ folder, path, content: formatSegment(headings, text), position, hash, metadata: getMetadata(row), score, rank });
			}
		}
		return { segments: found, bestScore };
	}

	/** Returns the names of metadata in documents of these folders. */
	getMetadataNames(folders: readonly string[]): readonly string[] {
		const rows = this.#queryAll<DocumentRow>(
			`SELECT ${documentColumns} FROM documents WHERE folder IN (SELECT value FROM json_each(?))`,
			JSON.stringify(folders),
		);
		return [...new Set(rows.flatMap(row => Object.keys(getMetadata(row))))].sort();
	}

	/** Returns the IDs of documents to search, as JSON. */
	#getDocumentIds({ folders, filter }: IndexQuery): string {
		const rows = this.#queryAll<DocumentRow & { id: number }>(
			`SELECT id, ${documentColumns} FROM documents WHERE folder IN (SELECT value FROM json_each(?))`,
			JSON.stringify(folders),
		);
		return JSON.stringify(rows.filter(row => !filter || isMetadataMatching(filter, getMetadata(row))).map(({ id }) => id));
	}

	/** Returns the search terms with their weights. Rare terms weigh more than common ones. */
	#weighTerms(text: string): readonly WeightedTerm[] {
		const [{ all } = { all: 0 }] = this.#queryAll<{ all: number }>('SELECT count(*) AS "all" FROM segments');
		const terms = getSearchTerms(text).map(term => {
			const [{ count } = { count: 0 }] = this.#queryAll<{ count: number }>(
				'SELECT count(*) AS count FROM segment_words WHERE segment_words MATCH ?',
				term,
			);
			return { term, count, weight: Math.log(1 + (all - count + 0.5) / (count + 0.5)) };
		});
		const rare = terms.filter(({ count }) => count <= all * commonShare);
		return all > largeIndex && rare.some(({ count }) => count > 0) ? rare : terms;
	}

	#findByWords(terms: readonly WeightedTerm[], documents: string): readonly number[] {
		const known = terms.filter(({ count }) => count > 0).map(({ term }) => term);
		if (known.length === 0) {
			return [];
		}
		return this.#queryAll<{ id: number }>(
			`SELECT segments.id FROM segment_words JOIN segments ON segments.id = segment_words.rowid
			WHERE segment_words MATCH ? AND document IN (SELECT value FROM json_each(?)) ORDER BY bm25(segment_words, 2.0, 1.0), segments.id LIMIT ${listLength}`,
			known.join(' OR '),
			documents,
		).map(({ id }) => id);
	}

	#findByVector(
		model: string,
		asked: Float32Array,
		documents: string,
	): { readonly first: readonly number[]; readonly cosines: ReadonlyMap<number, number> } {
		const cosines = new Map<number, number>();
		const rows = this.#db
			.prepare(
				`SELECT segment, vector FROM vectors JOIN segments ON segments.id = segment
				WHERE model = ? AND length(vector) = ? AND document IN (SELECT value FROM json_each(?))`,
			)
			.iterate(model, asked.byteLength, documents) as Iterable<{ segment: number; vector: Uint8Array }>;
		const direction = normalizeVector(asked);
		for (const { segment, vector } of rows) {
			cosines.set(segment, computeDotProduct(direction, vector));
		}
		const first = [...cosines].sort((left, right) => right[1] - left[1] || left[0] - right[0]).slice(0, listLength);
		return { first: first.map(([segment]) => segment), cosines };
	}

	/** Returns the share of the question in each segment: the weight of the terms in it, divided by the weight of all terms. */
	#getShares(terms: readonly WeightedTerm[], candidates: readonly number[]): ReadonlyMap<number, number> {
		const shares = new Map<number, number>();
		const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
		const list = JSON.stringify(candidates);
		const holding = 'SELECT rowid AS id FROM segment_words WHERE segment_words MATCH ? AND rowid IN (SELECT value FROM json_each(?))';
		for (const { term, count, weight } of terms) {
			for (const { id } of count > 0 ? this.#queryAll<{ id: number }>(holding, term, list) : []) {
				shares.set(id, (shares.get(id) ?? 0) + weight / whole);
			}
		}
		return shares;
	}

	#getRow(segment: number): (DocumentRow & SegmentRow) | undefined {
		return this.#queryAll<DocumentRow & SegmentRow>(
			`SELECT ${documentColumns}, position, headings, text, segments.hash AS hash FROM segments JOIN documents ON documents.id = document WHERE segments.id = ?`,
			segment,
		)[0];
	}

	#queryAll<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		return this.#db.prepare(sql).all(...values) as T[];
	}
}

interface WeightedTerm {
	/** The term as an FTS5 query. */
	readonly term: string;
	/** Number of segments that contain the term. */
	readonly count: number;
	readonly weight: number;
}

const documentColumns = 'folder, path, size, modified, created, front_matter';

interface DocumentRow {
	readonly folder: string;
	readonly path: string;
	readonly size: number;
	readonly modified: number;
	readonly created: number;
	/** Front matter as JSON. */
	readonly front_matter: string;
}

interface SegmentRow {
	readonly position: number;
	/** Headings as JSON. */
	readonly headings: string;
	readonly text: string;
	readonly hash: string;
}

/** Returns the metadata of a document: the front matter of Markdown, and Dify's standard fields. Times are in Unix seconds. */
function getMetadata({ path, size, modified, created, front_matter: front }: DocumentRow): Readonly<Record<string, unknown>> {
	const name = path.slice(path.lastIndexOf('/') + 1);
	return {
		...(JSON.parse(front) as Record<string, unknown>),
		document_name: name,
		path,
		extension: /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '',
		size,
		upload_date: Math.floor((created || modified) / 1000),
		last_update_date: Math.floor(modified / 1000),
	};
}
