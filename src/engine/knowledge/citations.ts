import { isObjectValue } from '../variables/objectValue.ts';
import type { KnowledgeItem } from './knowledge.ts';

/** Segments as text for a prompt, one below the other, as Dify fills in `{{#context#}}`. */
export function contextOf(items: readonly Pick<KnowledgeItem, 'content'>[]): string {
	return items
		.map(({ content }) => content)
		.join('\n')
		.trim();
}

/** An element of `retriever_resources`: what a reply was made with. */
export type Citation = Readonly<Record<string, unknown>>;

/** Whether an agent's file has its chats say what a reply was made with (`retriever_resource`). */
export function citesSources({ features }: { readonly features: Readonly<Record<string, unknown>> }): boolean {
	const feature = features['retriever_resource'];
	return isObjectValue(feature) && feature['enabled'] === true;
}

/** Citations of the values of a list that are segments of knowledge; others are not cited. */
export function citationsOf(values: readonly unknown[]): readonly Citation[] {
	return values.flatMap(value => (isObjectValue(value) && isObjectValue(value['metadata']) ? citation(value, value['metadata']) : []));
}

function citation(item: Readonly<Record<string, unknown>>, metadata: Readonly<Record<string, unknown>>): readonly Citation[] {
	if (metadata['_source'] !== 'knowledge') {
		return [];
	}
	const named = (name: string) => metadata[name] ?? null;
	return [
		{
			position: named('position'),
			dataset_id: named('dataset_id'),
			dataset_name: named('dataset_name'),
			document_id: named('document_id'),
			document_name: named('document_name'),
			data_source_type: named('data_source_type'),
			segment_id: named('segment_id'),
			retriever_from: named('retriever_from'),
			score: named('score'),
			hit_count: named('segment_hit_count'),
			word_count: named('segment_word_count'),
			segment_position: named('segment_position'),
			index_node_hash: named('segment_index_node_hash'),
			content: item['content'] ?? null,
			page: named('page'),
			doc_metadata: named('doc_metadata'),
			title: item['title'] ?? null,
			files: item['files'] ?? null,
			summary: item['summary'] ?? null,
		},
	];
}
