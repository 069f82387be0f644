import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import { getField, getFieldText } from '#base/records/plainValues.ts';
import type { AgentOrder, AgentTool } from '../agent/agentOrder.ts';
import { runAgentRounds } from '../agent/runAgentRounds.ts';
import { buildContext, readCitations } from '../knowledge/citations.ts';
import { agentToolSchema } from '../nodes/agent/agentSchema.ts';
import { loadAgentTools } from '../nodes/agent/agentTools.ts';
import { readCompletionParameters } from '../nodes/model/completionParameters.ts';
import { askModel, type ModelReply, sumUsageMetadata } from '../nodes/model/modelText.ts';
import type { NodeContext } from '../nodes/nodeType.ts';
import type { ModelMessage } from '../run/engineTypes.ts';
import { createThoughtReporter } from './agentThought.ts';
import { listDatasets, searchDatasets } from './appKnowledge.ts';
import { fitHistory, getRemainingTokens, toHistoryMessages } from './history.ts';
import { fillPromptPlaceholders } from './placeholders.ts';

/** Default and maximum number of iterations. */
const usualRounds = 10;
const mostRounds = 99;

/** The input of one turn of an agent-chat app. */
export interface AgentTurn {
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly query: string;
	/** The user's question, with images if there are any. */
	readonly asked: ModelMessage['content'];
	readonly signal: AbortSignal;
	/** Called with each chunk of the text. */
	readonly streamText: (piece: string) => void;
}

/** Runs one turn: the model calls tools in iterations and then answers. Rejects if the model fails or a tool doesn't exist. */
export async function runAgentTurn(context: NodeContext<unknown>, config: ModelConfig, turn: AgentTurn): Promise<readonly ModelReply[]> {
	const { services, run, variables, record, addCitations } = context;
	const { inputs, query, asked, signal, streamText } = turn;
	const { model, agent_mode: agent } = config;
	const parameters = readCompletionParameters(model.completion_params);
	const instruction = fillPromptPlaceholders(config.pre_prompt, inputs, { query });
	const sent: readonly ModelMessage[] = [
		{ role: 'system', content: instruction },
		{ role: 'user', content: asked },
	];
	const room = getRemainingTokens(sent, services.models.getContextTokens?.(model.name), parameters.maxTokens);
	const order: AgentOrder = {
		strategy: /react|cot|chain/i.test(agent?.strategy ?? '') ? 'ReAct' : 'function_calling',
		model: { model: model.name, ...parameters },
		provider: model.provider,
		instruction,
		history: toHistoryMessages(fitHistory(run.chat?.history ?? [], room)),
		query: asked,
		tools: [
			...(await loadAgentTools(listEnabledTools(config), variables, { services, run, signal, addCitations })),
			...createDatasetTools(context, config),
		],
		maxRounds: Math.min(Math.max(Math.trunc(agent?.max_iteration ?? usualRounds), 1), mostRounds),
		atLimit: 'ask-once-more',
	};
	const replies: ModelReply[] = [];
	try {
		await runAgentRounds(order, {
			signal,
			askModel: async (request, onPart) => {
				const reply = await askModel(services.models, request, signal, onPart);
				replies.push(reply);
				return reply;
			},
			streamText,
			log: entry => context.log(entry),
			round: createThoughtReporter(context),
		});
	} finally {
		// usage is recorded even if the agent failed
		record.metadata = { ...record.metadata, ...sumUsageMetadata(...replies) };
	}
	return replies;
}

/** Returns the enabled tools. Parameters set in the file are fixed, so the model isn't asked for them. */
function listEnabledTools({ agent_mode: agent }: ModelConfig) {
	return (agent?.tools ?? [])
		.filter(tool => tool.enabled === true && getFieldText(tool, 'tool_name') !== '')
		.map(tool => agentToolSchema.parse({ ...toToolReference(tool), enabled: true, settings: getField(tool, 'tool_parameters') ?? null }));
}

/** Returns the fields that identify a tool as strings, whatever their type in the file. */
function toToolReference(tool: unknown): Record<string, string> {
	const fields = ['provider_type', 'provider_name', 'provider_id', 'tool_name', 'tool_label'];
	return Object.fromEntries(fields.map(name => [name, getFieldText(tool, name)]));
}

/** Returns one tool per dataset, so that the model decides when to search and for what. */
function createDatasetTools({ services, addCitations }: NodeContext<unknown>, config: ModelConfig): readonly AgentTool[] {
	return listDatasets(config).map(id => ({
		name: `dataset_${id}`,
		provider: 'dataset',
		description: `Searches the dataset ${id}.`,
		parameters: {
			type: 'object',
			properties: { query: { type: 'string', description: 'Search query: a question or a few keywords.' } },
			required: ['query'],
		},
		completeParameters: parameters => parameters,
		callTool: async ({ query }, signal) => {
			const { items } = await searchDatasets(services, config, { text: String(query ?? ''), datasets: [id] }, signal);
			addCitations(readCitations(items));
			return { text: buildContext(items) || 'Nothing was found.' };
		},
	}));
}
