import type { MetadataFilter } from './metadataFilter.ts';

/** Datasets that nodes and chat apps search, as the gateway around the engine has them. */
export interface Knowledge {
	/**
	 * Segments that fit a question, best first. Rejects with a sentence that a user can act on: for a dataset that is not configured it names the setting and
	 * the dataset.
	 */
	search(query: KnowledgeQuery, signal: AbortSignal): Promise<KnowledgeResult>;
	/** Names of the metadata that documents of these datasets have; sorted. Rejects as {@link search} does. */
	metadataNames(datasets: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
}

/** A question, and how the datasets are to be searched for it. */
export interface KnowledgeQuery {
	readonly text: string;
	/** IDs as the agent file has them. */
	readonly datasets: readonly string[];
	/** `single`: segments of one dataset only, the one that fits best. */
	readonly mode: 'single' | 'multiple';
	/** Most segments that come back. */
	readonly topK: number;
	/** Least score of a segment, 0 to 1. */
	readonly scoreThreshold?: number;
	/** How much vectors and words count beside each other; alike unless given. */
	readonly weights?: { readonly vector: number; readonly keyword: number };
	/** Only segments of documents that it holds for. */
	readonly filter?: MetadataFilter;
}

/** What a search has found, and sentences on what it could not do as asked (an embedding service that fails, documents still to be read). */
export interface KnowledgeResult {
	readonly items: readonly KnowledgeItem[];
	readonly notes: readonly string[];
}

/** A segment that was found, in Dify's shape: an element of a knowledge-retrieval node's `result`. */
export interface KnowledgeItem {
	/** Name of the document. */
	readonly title: string;
	readonly content: string;
	readonly files: null;
	readonly metadata: KnowledgeMetadata;
}

/** Where a segment is from. A type and not an interface: it is a JSON value among the variables of a run. */
type KnowledgeMetadata = {
	/** Tells segments of knowledge from other lists of objects: citations are made of these alone. */
	readonly _source: 'knowledge';
	readonly dataset_id: string;
	readonly dataset_name: string;
	readonly document_id: string;
	readonly document_name: string;
	readonly data_source_type: string;
	readonly segment_id: string;
	readonly retriever_from: 'workflow';
	/** 0 to 1: how near the segment is to the question. */
	readonly score: number;
	/** Place among the items found, from 1. */
	readonly position: number;
	/** Place in its document, from 1. */
	readonly segment_position: number;
	readonly segment_hit_count: number;
	readonly segment_word_count: number;
	readonly segment_index_node_hash: string;
	readonly doc_metadata: Readonly<Record<string, unknown>>;
};
