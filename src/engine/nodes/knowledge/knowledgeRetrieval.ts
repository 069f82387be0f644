import type { Knowledge, KnowledgeQuery } from '../../knowledge/knowledge.ts';
import { checkFilter } from '../../knowledge/metadataFilter.ts';
import { NodeError } from '../nodeError.ts';
import { defineNodeType, type NodeContext } from '../nodeType.ts';
import { createAutomaticFilter } from './automaticFilter.ts';
import { createManualFilter, type RetrievalSettings, retrievalSchema } from './retrievalSchemas.ts';

const defaultTopK = 4;

/** Knowledge retrieval node: searches the gateway's datasets, which are folders of documents or datasets on Dify deployments. */
export const knowledgeRetrieval = defineNodeType({
	type: 'knowledge-retrieval',
	schema: retrievalSchema,
	async run(context) {
		const { settings, record, services, signal } = context;
		const text = readQuery(context);
		record.inputs = { query: text };
		if (settings.dataset_ids.length === 0) {
			throw createRetrievalError("No dataset is selected. Expected IDs in 'dataset_ids'.");
		}
		if (!services.knowledge) {
			throw createRetrievalError('This gateway has no datasets. Add one to agentWorkbench.gateway.knowledge.');
		}
		const notes = listIgnoredSettings(settings);
		try {
			const query = await buildKnowledgeQuery(context, services.knowledge, text, notes);
			const { items, notes: more } = await services.knowledge.search(query, signal);
			notes.push(...more);
			return { outputs: { result: items } };
		} catch (error) {
			signal.throwIfAborted();
			throw error instanceof NodeError ? error : createRetrievalError((error as Error).message, error);
		} finally {
			record.processData = notes.length > 0 ? { notes } : null;
		}
	},
});

function readQuery({ settings, variables }: NodeContext<RetrievalSettings>): string {
	const value = settings.query_variable_selector ? variables.get(settings.query_variable_selector) : undefined;
	if (value === undefined || value === null || value === '') {
		throw createRetrievalError('Query is required.');
	}
	if (typeof value !== 'string') {
		throw createRetrievalError('Query variable is not string type.');
	}
	return value;
}

async function buildKnowledgeQuery(
	context: NodeContext<RetrievalSettings>,
	knowledge: Knowledge,
	text: string,
	notes: string[],
): Promise<KnowledgeQuery> {
	const { settings, variables, signal } = context;
	const datasets = settings.dataset_ids;
	const several = settings.multiple_retrieval_config;
	const weights = several?.reranking_mode === 'weighted_score' ? several.weights : undefined;
	const filter =
		settings.metadata_filtering_mode === 'manual'
			? createManualFilter(settings, variables)
			: settings.metadata_filtering_mode === 'automatic'
				? await createAutomaticFilter(context, text, await knowledge.listMetadataNames(datasets, signal), notes)
				: undefined;
	if (filter) {
		checkFilter(filter);
	}
	return {
		text,
		datasets,
		mode: settings.retrieval_mode ?? 'multiple',
		topK: Math.max(1, Math.floor(several?.top_k ?? defaultTopK)),
		...(several?.score_threshold && { scoreThreshold: several.score_threshold }),
		...(weights && { weights: { vector: weights.vector_setting.vector_weight, keyword: weights.keyword_setting.keyword_weight } }),
		...(filter && { filter }),
	};
}

/** Returns messages about settings that are ignored here. */
function listIgnoredSettings({ multiple_retrieval_config: several, vision }: RetrievalSettings): string[] {
	return [
		...(several?.reranking_enable && several.reranking_mode !== 'weighted_score'
			? ["Rerank models aren't available here, so results are ordered by their combined ranks."]
			: []),
		...(vision?.enabled ? ["Searching by image isn't available here, so vision is ignored."] : []),
	];
}

function createRetrievalError(message: string, cause?: unknown): NodeError {
	return new NodeError(message, 'KnowledgeRetrievalNodeError', cause === undefined ? {} : { cause });
}
