import { getItems } from '#base/records/plainValues.ts';
import { createFact } from './cards/cardFacts.ts';
import { describeSelector } from './labels/fieldLabels.ts';
import type { KindLabels } from './labels/label.ts';
import type { NodeKind } from './nodeKind.ts';

/** Searches datasets. */
export const knowledgeRetrieval: NodeKind = {
	type: 'knowledge-retrieval',
	icon: 'library',
	isForeign: true,
	snippet: {
		title: 'Knowledge Retrieval',
		data: [
			'query_variable_selector: [${3:¶}]',
			'dataset_ids: [${4:handbook}]',
			'retrieval_mode: multiple',
			'multiple_retrieval_config: { top_k: ${5:4}, score_threshold: null, reranking_enable: false }',
		],
	},
	outputs: ['result:array[object]'],
	createFacts: data => getItems(data, 'dataset_ids').flatMap(each => createFact(typeof each === 'string' ? each : '')),
};

export const describeKind = (): KindLabels => ({
	'knowledge-retrieval': {
		text: "Searches datasets: folders of documents from the setting 'agentWorkbench.gateway.knowledge', or datasets on a Dify server.",
		fields: {
			query_variable_selector: describeSelector('Search query', 'string', 'file', 'array[file]'),
			dataset_ids: "Datasets to search, as named in the setting 'agentWorkbench.gateway.knowledge'.",
			'dataset_ids[]': 'ID or name of a dataset.',
			retrieval_mode: {
				text: "Whether to search all datasets ('multiple') or only the best match ('single').",
				examples: ['single', 'multiple'],
			},
			multiple_retrieval_config: 'Settings of the search.',
			'multiple_retrieval_config.top_k': 'Maximum number of segments to return. Default: 4.',
			'multiple_retrieval_config.score_threshold': 'Minimum score of a segment, from 0 to 1.',
			'multiple_retrieval_config.reranking_enable':
				"Whether to rerank results with a model. The built-in gateway doesn't support this and uses the combined rank.",
			'multiple_retrieval_config.reranking_mode': {
				text: "How to rank results: by weights ('weighted_score') or with a rerank model ('reranking_model').",
				known: ['weighted_score', 'reranking_model'],
			},
			'multiple_retrieval_config.weights': { text: "Weights of semantic and keyword search, for 'weighted_score'.", rare: true },
			'multiple_retrieval_config.weights.vector_setting': 'Weight of semantic search.',
			'multiple_retrieval_config.weights.vector_setting.vector_weight': 'Weight from 0 to 1.',
			'multiple_retrieval_config.weights.keyword_setting': 'Weight of keyword search.',
			'multiple_retrieval_config.weights.keyword_setting.keyword_weight': 'Weight from 0 to 1.',
			metadata_filtering_mode: {
				text: "Documents to search: all ('disabled'), those that a model selects for the query ('automatic'), or those that match the conditions ('manual').",
				examples: ['disabled', 'automatic', 'manual'],
			},
			metadata_model_config: "Model that selects the documents, for 'automatic'.",
			'metadata_model_config.provider': { text: 'Provider, as named in Dify.', rare: true },
			'metadata_model_config.name': { text: 'Name of the model.', refers: 'model' },
			'metadata_model_config.mode': {
				text: "Whether the model replies to messages ('chat') or continues a text ('completion').",
				examples: ['chat', 'completion'],
				rare: true,
			},
			'metadata_model_config.completion_params': 'Parameters of the model.',
			metadata_filtering_conditions: "Conditions that select the documents, for 'manual'.",
			'metadata_filtering_conditions.logical_operator': "Whether all conditions must match ('and') or any of them ('or').",
			'metadata_filtering_conditions.conditions': 'Conditions on the metadata of documents.',
			'metadata_filtering_conditions.conditions[]': 'A condition on the metadata of documents.',
			'metadata_filtering_conditions.conditions[].name': {
				text: 'Value to compare: document_name, path, extension, size, upload_date, last_update_date, or a field of the Markdown front matter.',
				examples: ['document_name', 'path', 'extension', 'size', 'upload_date', 'last_update_date'],
			},
			'metadata_filtering_conditions.conditions[].comparison_operator': {
				text: 'How to compare the values.',
				known: 'metadataComparisons',
			},
			'metadata_filtering_conditions.conditions[].value': 'Value to compare with. Can contain {{#node.variable#}}.',
			vision: 'Images to search for. Not supported by the built-in gateway.',
			'vision.enabled': 'Whether to search for images.',
		},
	},
});
