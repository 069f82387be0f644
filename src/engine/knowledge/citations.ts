import { isObjectValue } from '../variables/objectValue.ts';
import type { KnowledgeItem } from './knowledge.ts';

/** Joins segments into the text that replaces `{{#context#}}` in a prompt, in Dify's format. */
export function buildContext(items: readonly Pick<KnowledgeItem, 'content'>[]): string {
	return items
		.map(({ content }) => content)
		.join('\n')
		.trim();
}

/** An element of `retriever_resources`: a source used for a reply. */
export type Citation = Readonly<Record<string, unknown>>;

/** True if the agent file enables citing sources in its chats (`retriever_resource`). */
export function isCitingSources({ features }: { readonly features: Readonly<Record<string, unknown>> }): boolean {
	const feature = features['retriever_resource'];
	return isObjectValue(feature) && feature['enabled'] === true;
}

/** Returns citations for the list elements that are knowledge segments; other elements are ignored. */
export function readCitations(values: readonly unknown[]): readonly Citation[] {
	return values.flatMap(value => (isObjectValue(value) && isObjectValue(value['metadata']) ? readCitation(value, value['metadata']) : []));
}

function readCitation(item: Readonly<Record<string, unknown>>, metadata: Readonly<Record<string, unknown>>): readonly Citation[] {
	if (metadata['_source'] !== 'knowledge') {
		return [];
	}
	const getField = (name: string) => metadata[name] ?? null;
	return [
		{
			position: getField('position'),
			dataset_id: getField('dataset_id'),
			dataset_name: getField('dataset_name'),
			document_id: getField('document_id'),
			document_name: getField('document_name'),
			data_source_type: getField('data_source_type'),
			segment_id: getField('segment_id'),
			retriever_from: getField('retriever_from'),
			score: getField('score'),
			hit_count: getField('segment_hit_count'),
			word_count: getField('segment_word_count'),
			segment_position: getField('segment_position'),
			index_node_hash: getField('segment_index_node_hash'),
			content: item['content'] ?? null,
			page: getField('page'),
			doc_metadata: getField('doc_metadata'),
			title: item['title'] ?? null,
			files: item['files'] ?? null,
			summary: item['summary'] ?? null,
		},
	];
}
