import type { Knowledge, KnowledgeQuery } from '../../knowledge/knowledge.ts';
import { checkFilter } from '../../knowledge/metadataFilter.ts';
import { type NodeContext, NodeError, nodeType } from '../nodeType.ts';
import { automaticFilter } from './automaticFilter.ts';
import { manualFilter, type RetrievalSettings, retrievalSchema } from './retrievalSchemas.ts';

const defaultTopK = 4;

/** Knowledge retrieval node: searches the gateway's datasets, which are folders of documents or datasets on Dify deployments. */
export const knowledgeRetrieval = nodeType({
	type: 'knowledge-retrieval',
	schema: retrievalSchema,
	async run(context) {
		const { settings, record, services, signal } = context;
		const text = queryOf(context);
		record.inputs = { query: text };
		if (settings.dataset_ids.length === 0) {
			throw fault("No dataset is selected. Expected IDs in 'dataset_ids'.");
		}
		if (!services.knowledge) {
			throw fault('This gateway has no datasets. Add one to agentWorkbench.gateway.knowledge.');
		}
		const notes = ignored(settings);
		try {
			const query = await queryFor(context, services.knowledge, text, notes);
			const { items, notes: more } = await services.knowledge.search(query, signal);
			notes.push(...more);
			return { outputs: { result: items } };
		} catch (error) {
			signal.throwIfAborted();
			throw error instanceof NodeError ? error : fault((error as Error).message, error);
		} finally {
			record.processData = notes.length > 0 ? { notes } : null;
		}
	},
});

function queryOf({ settings, variables }: NodeContext<RetrievalSettings>): string {
	const value = settings.query_variable_selector ? variables.get(settings.query_variable_selector) : undefined;
	if (value === undefined || value === null || value === '') {
		throw fault('Query is required.');
	}
	if (typeof value !== 'string') {
		throw fault('Query variable is not string type.');
	}
	return value;
}

async function queryFor(
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
			? manualFilter(settings, variables)
			: settings.metadata_filtering_mode === 'automatic'
				? await automaticFilter(context, text, await knowledge.metadataNames(datasets, signal), notes)
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
function ignored({ multiple_retrieval_config: several, vision }: RetrievalSettings): string[] {
	return [
		...(several?.reranking_enable && several.reranking_mode !== 'weighted_score'
			? ["Rerank models aren't available here, so results are ordered by their combined ranks."]
			: []),
		...(vision?.enabled ? ["Searching by image isn't available here, so vision is ignored."] : []),
	];
}

function fault(message: string, cause?: unknown): NodeError {
	return new NodeError(message, 'KnowledgeRetrievalNodeError', cause === undefined ? {} : { cause });
}
