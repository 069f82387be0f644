import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { buildContext, readCitations } from '../knowledge/citations.ts';
import type { KnowledgeQuery, KnowledgeResult } from '../knowledge/knowledge.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { NodeContext } from '../nodes/nodeType.ts';
import type { EngineServices } from '../run/engineTypes.ts';

/** Number of segments to search for if the file sets none. */
const usualTopK = 4;

/** The knowledge found for a turn. */
export interface AppKnowledge {
	/** Text found in the datasets; undefined if the app has none. */
	readonly context: string | undefined;
	readonly notes: readonly string[];
}

/**
 * Searches the app's datasets for the user's question, or for the input that the app selects as query.
 * @throws {NodeError} if the gateway has no datasets at all
 */
export async function searchAppKnowledge(
	config: ModelConfig,
	inputs: Readonly<Record<string, unknown>>,
	query: string,
	{ services, signal, addCitations }: Pick<NodeContext<unknown>, 'services' | 'signal' | 'addCitations'>,
): Promise<AppKnowledge> {
	const datasets = listDatasets(config);
	if (datasets.length === 0) {
		return { context: undefined, notes: [] };
	}
	const input = config.dataset_query_variable;
	const text = input === '' ? query : String(inputs[input] ?? '');
	if (text.trim() === '') {
		return { context: '', notes: [] };
	}
	const { items, notes } = await searchDatasets(services, config, { text, datasets }, signal);
	addCitations(readCitations(items));
	return { context: buildContext(items), notes };
}

/** Searches datasets with the settings of the app's file. @throws {NodeError} if the gateway has no datasets */
export async function searchDatasets(
	{ knowledge }: EngineServices,
	config: ModelConfig,
	query: Pick<KnowledgeQuery, 'text' | 'datasets'>,
	signal: AbortSignal,
): Promise<KnowledgeResult> {
	if (!knowledge) {
		throw new NodeError(
			'The app searches datasets, but this gateway has none. Configure datasets, or run the agent on its Dify server (agentWorkbench.gateway.remoteAgents).',
			'KnowledgeRetrievalError',
		);
	}
	return knowledge.search({ ...query, ...readSearchSettings(config) }, signal);
}

/** Returns the IDs of the enabled datasets in file order. Old files list them among the tools of `agent_mode`. */
export function listDatasets({ dataset_configs: configs, agent_mode: agent }: ModelConfig): readonly string[] {
	const listed = configs?.datasets?.datasets ?? [];
	const old = (agent?.tools ?? []).flatMap(tool => (getField(tool, 'dataset') === undefined ? [] : [tool]));
	const named = [...listed, ...old].map(entry => getField(entry, 'dataset'));
	return [...new Set(named.filter(dataset => getField(dataset, 'enabled') === true).map(dataset => getFieldText(dataset, 'id')))].filter(
		id => id !== '',
	);
}

function readSearchSettings({ dataset_configs: configs }: ModelConfig): Omit<KnowledgeQuery, 'text' | 'datasets'> {
	const threshold = configs?.score_threshold_enabled === false ? undefined : configs?.score_threshold;
	const weights = getField(configs, 'weights');
	const vector = getField(getField(weights, 'vector_setting'), 'vector_weight');
	const keyword = getField(getField(weights, 'keyword_setting'), 'keyword_weight');
	const asked = getField(configs, 'metadata_filtering_conditions');
	const filtered = getFieldText(configs, 'metadata_filtering_mode') === 'manual' && getItems(asked, 'conditions').length > 0;
	return {
		mode: configs?.retrieval_model === 'single' ? 'single' : 'multiple',
		topK: configs?.top_k ?? usualTopK,
		...(typeof threshold === 'number' && { scoreThreshold: threshold }),
		...(typeof vector === 'number' && typeof keyword === 'number' && { weights: { vector, keyword } }),
		...(filtered && {
			filter: {
				join: getFieldText(asked, 'logical_operator') === 'or' ? 'or' : 'and',
				conditions: getItems(asked, 'conditions').map(each => ({
					name: getFieldText(each, 'name'),
					operator: getFieldText(each, 'comparison_operator'),
					value: getField(each, 'value'),
				})),
			},
		}),
	};
}
