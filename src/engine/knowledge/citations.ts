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
	const getMetadataField = (name: string) => metadata[name] ?? null;
	return [
		{
			position: getMetadataField('position'),
			dataset_id: getMetadataField('dataset_id'),
			dataset_name: getMetadataField('dataset_name'),
			document_id: getMetadataField('document_id'),
			document_name: getMetadataField('document_name'),
			data_source_type: getMetadataField('data_source_type'),
			segment_id: getMetadataField('segment_id'),
			retriever_from: getMetadataField('retriever_from'),
			score: getMetadataField('score'),
			hit_count: getMetadataField('segment_hit_count'),
			word_count: getMetadataField('segment_word_count'),
			segment_position: getMetadataField('segment_position'),
			index_node_hash: getMetadataField('segment_index_node_hash'),
			content: item['content'] ?? null,
			page: getMetadataField('page'),
			doc_metadata: getMetadataField('doc_metadata'),
			title: item['title'] ?? null,
			files: item['files'] ?? null,
			summary: item['summary'] ?? null,
		},
	];
}
