import { itemsOf } from '#base/records/plainValues.ts';
import { fact } from './cards/cardFacts.ts';
import type { NodeKind } from './nodeKind.ts';
import { selector } from './words/fieldWords.ts';
import type { KindWords } from './words/word.ts';

/** Searches datasets. */
export const knowledgeRetrieval: NodeKind = {
	type: 'knowledge-retrieval',
	icon: 'library',
	snippet: {
		title: 'Look up',
		data: [
			'query_variable_selector: [${3:¶}]',
			'dataset_ids: [${4:handbook}]',
			'retrieval_mode: multiple',
			'multiple_retrieval_config: { top_k: ${5:4}, score_threshold: null, reranking_enable: false }',
		],
	},
	outputs: ['result:array[object]'],
	facts: data => itemsOf(data, 'dataset_ids').flatMap(each => fact(typeof each === 'string' ? each : '')),
};

export const schemaWords = (): KindWords => ({
	'knowledge-retrieval': {
		text: 'Searches datasets: folders of documents that the setting agentWorkbench.gateway.knowledge names, or datasets on a Dify deployment.',
		fields: {
			query_variable_selector: selector('What is searched for', 'string', 'file', 'array[file]'),
			dataset_ids: 'The datasets, as the setting agentWorkbench.gateway.knowledge names them.',
			'dataset_ids[]': 'ID or name of a dataset.',
			retrieval_mode: {
				text: 'Whether segments of several datasets come back together, or those of the one dataset that fits best.',
				examples: ['single', 'multiple'],
			},
			multiple_retrieval_config: 'How they are searched.',
			'multiple_retrieval_config.top_k': 'Most segments that come back; 4 by default.',
			'multiple_retrieval_config.score_threshold': 'Least score of a segment, from 0 to 1.',
			'multiple_retrieval_config.reranking_enable':
				'Whether a rerank model sorts what was found. There is none here: the joined rank counts.',
			'multiple_retrieval_config.reranking_mode': {
				text: 'What the order is made by: the weights, or a rerank model.',
				known: ['weighted_score', 'reranking_model'],
			},
			'multiple_retrieval_config.weights': { text: 'How much meaning and words count, with the mode weighted_score.', rare: true },
			'multiple_retrieval_config.weights.vector_setting': 'Of the meaning.',
			'multiple_retrieval_config.weights.vector_setting.vector_weight': 'From 0 to 1.',
			'multiple_retrieval_config.weights.keyword_setting': 'Of the words.',
			'multiple_retrieval_config.weights.keyword_setting.keyword_weight': 'From 0 to 1.',
			metadata_filtering_mode: {
				text: 'Which documents are searched: all, those that a model chooses by the question, or those that the conditions hold for.',
				examples: ['disabled', 'automatic', 'manual'],
			},
			metadata_model_config: 'The model that chooses, with automatic.',
			'metadata_model_config.provider': { text: 'Provider, as the hosted service names it.', rare: true },
			'metadata_model_config.name': { text: 'Name of the model.', refers: 'model' },
			'metadata_model_config.mode': { text: 'Kind of the model.', examples: ['chat', 'completion'], rare: true },
			'metadata_model_config.completion_params': 'Parameters of the model.',
			metadata_filtering_conditions: 'The conditions, with manual.',
			'metadata_filtering_conditions.logical_operator': 'Whether all of them have to hold or any.',
			'metadata_filtering_conditions.conditions': 'The conditions.',
			'metadata_filtering_conditions.conditions[]': 'A condition on the metadata of documents.',
			'metadata_filtering_conditions.conditions[].name': {
				text: 'What is compared: document_name, path, extension, size, upload_date, last_update_date, or a field of the front matter of Markdown.',
				examples: ['document_name', 'path', 'extension', 'size', 'upload_date', 'last_update_date'],
			},
			'metadata_filtering_conditions.conditions[].comparison_operator': { text: 'How it is compared.', known: 'metadataComparisons' },
			'metadata_filtering_conditions.conditions[].value': 'What it is compared with. References are filled in.',
			vision: 'Pictures to search for. They count for nothing here.',
			'vision.enabled': 'Whether there are any.',
		},
	},
});
