import { isObjectValue } from '../variables/objectValue.ts';
import type { KnowledgeItem } from './knowledge.ts';

/** Joins segments to text for a prompt, one after the other, as Dify fills `{{#context#}}`. */
export function contextOf(items: readonly Pick<KnowledgeItem, 'content'>[]): string {
	return items
		.map(({ content }) => content)
		.join('\n')
		.trim();
}

/** An element of `retriever_resources`: a source used for a reply. */
export type Citation = Readonly<Record<string, unknown>>;

/** True if the agent file enables citing sources in its chats (`retriever_resource`). */
export function citesSources({ features }: { readonly features: Readonly<Record<string, unknown>> }): boolean {
	const feature = features['retriever_resource'];
	return isObjectValue(feature) && feature['enabled'] === true;
}

/** Returns citations for the list elements that are knowledge segments; other elements are ignored. */
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
