import type { MetadataFilter } from './metadataFilter.ts';

/** The datasets that nodes and chat apps search, provided by the gateway. */
export interface Knowledge {
	/**
	 * Returns the segments that match a query, best first. Rejects with a message that users can act on: for a dataset that isn't
	 * configured it names the setting and the dataset.
	 */
	search(query: KnowledgeQuery, signal: AbortSignal): Promise<KnowledgeResult>;
	/** Returns the sorted names of the metadata fields of these datasets' documents. Rejects like {@link search}. */
	listMetadataNames(datasets: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
}

/** A question, and how to search the datasets for an answer. */
export interface KnowledgeQuery {
	readonly text: string;
	/** Dataset IDs as in the agent file. */
	readonly datasets: readonly string[];
	/** With `single`, all segments come from the one dataset that fits best. */
	readonly mode: 'single' | 'multiple';
	/** Maximum number of segments to return. */
	readonly topK: number;
	/** Minimum score of a segment, 0 to 1. */
	readonly scoreThreshold?: number;
	/** Weights of vector and keyword scores; equal if absent. */
	readonly weights?: { readonly vector: number; readonly keyword: number };
	/** Restricts the search to documents that match. */
	readonly filter?: MetadataFilter;
}

/**
 * The result of a search, with warnings about what couldn't be done as requested (the embedding service failed, documents aren't indexed
 * yet).
 */
export interface KnowledgeResult {
	readonly items: readonly KnowledgeItem[];
	readonly notes: readonly string[];
}

/** A segment that was found, in Dify's format: an element of a knowledge-retrieval node's `result`. */
export interface KnowledgeItem {
	/** Name of the document. */
	readonly title: string;
	readonly content: string;
	readonly files: null;
	readonly metadata: KnowledgeMetadata;
}

/** The origin of a segment. A type alias rather than an interface, so that it is assignable to the JSON values of run variables. */
type KnowledgeMetadata = {
	/** Marks an object as a knowledge segment. Only knowledge segments are cited. */
	readonly _source: 'knowledge';
	readonly dataset_id: string;
	readonly dataset_name: string;
	readonly document_id: string;
	readonly document_name: string;
	readonly data_source_type: string;
	readonly segment_id: string;
	readonly retriever_from: 'workflow';
	/** Similarity of the segment to the question, 0 to 1. */
	readonly score: number;
	/** Position among the found items, from 1. */
	readonly position: number;
	/** Position of the segment in its document, from 1. */
	readonly segment_position: number;
	readonly segment_hit_count: number;
	readonly segment_word_count: number;
	readonly segment_index_node_hash: string;
	readonly doc_metadata: Readonly<Record<string, unknown>>;
};
