import * as z from 'zod';
import type { AgentOrder, AgentStrategy } from '../../agent/agentOrder.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { createTextResolver, type TextResolver } from '../../variables/references.ts';
import { toPlainText } from '../../variables/textForms.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { readCompletionParameters } from '../model/completionParameters.ts';
import { buildMemoryMessages } from '../model/prompt.ts';
import { MissingVariableError, NodeError } from '../nodeError.ts';
import type { NodeResult } from '../nodeType.ts';
import { type AgentToolSettings, agentToolSchema } from './agentSchema.ts';
import { loadAgentTools } from './agentTools.ts';
import { type AgentContext, buildJsonOutput, createAgentWork, parseMaxRounds, sumUsage } from './agentWork.ts';

const modelSchema = z.looseObject({
	provider: z.string().nullish(),
	model: z.string().nullish(),
	name: z.string().nullish(),
	completion_params: z.record(z.string(), z.unknown()).nullish(),
});

/** Runs an agent configured by a strategy and its parameters (DSL additions, "agent", v1). */
export async function runStrategyAgent(context: AgentContext): Promise<NodeResult> {
	const { settings, variables, services, run, signal, record, addCitations } = context;
	const resolve = createTextResolver(variables);
	const parameters = Object.fromEntries(
		Object.entries(settings.agent_parameters).map(([name, { type, value }]) => [
			name,
			resolveParameter(type ?? 'constant', value, variables, resolve),
		]),
	);
	record.inputs = parameters;
	const strategy = parseStrategy(settings.agent_strategy_name);
	record.metadata = { tool_info: { agent_strategy: settings.agent_strategy_name } };
	const order: AgentOrder = {
		strategy,
		...parseModel(parameters['model']),
		instruction: toPlainText(parameters['instruction']),
		history: buildMemoryMessages(settings.memory, run.chat),
		query: toPlainText(parameters['query']),
		tools: await loadAgentTools(parseTools(parameters['tools']), variables, { services, run, signal, addCitations }),
		maxRounds: parseMaxRounds(parameters['maximum_iterations']),
		atLimit: 'refuse-calls',
	};
	const result = await createAgentWork(context, order, true);
	record.metadata = { ...record.metadata, agent_log: result.logs };
	return { outputs: { text: result.text, usage: sumUsage(result.replies), files: [], json: buildJsonOutput(context, result) } };
}

/** Resolves references in every string of a constant. @throws {NodeError} for a variable that doesn't exist */
function resolveParameter(type: string, value: unknown, variables: VariablePool, resolve: TextResolver): unknown {
	if (type === 'variable') {
		const selector = Array.isArray(value) ? value.map(String) : [];
		const found = variables.get(selector);
		if (found === undefined) {
			throw new MissingVariableError(selector, `Variable ${selector.join('.')} not found`, 'AgentVariableNotFoundError');
		}
		return found;
	}
	return resolveNestedValue(value, resolve);
}

function resolveNestedValue(value: unknown, resolve: TextResolver): unknown {
	if (typeof value === 'string') {
		return resolve(value);
	}
	if (Array.isArray(value)) {
		return value.map(item => resolveNestedValue(item, resolve));
	}
	return isObjectValue(value)
		? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolveNestedValue(field, resolve)]))
		: value;
}

function parseStrategy(name: string): AgentStrategy {
	const plain = name.toLowerCase().replace(/[^a-z]/g, '');
	if (plain === 'functioncalling' || plain === 'functioncall') {
		return 'function_calling';
	}
	if (plain === 'react' || plain === 'cot') {
		return 'ReAct';
	}
	throw new NodeError(
		`The agent strategy '${name}' isn't available here. Use function_calling or ReAct, or run the agent on its Dify server.`,
		'AgentStrategyNotFoundError',
	);
}

function parseModel(value: unknown): Pick<AgentOrder, 'model' | 'provider'> {
	const { data } = modelSchema.safeParse(value);
	const model = data?.model || data?.name;
	if (!model) {
		throw new NodeError('The agent has no model. Expected the name of a model in agent_parameters.model.', 'AgentInputTypeError');
	}
	return { model: { model, ...readCompletionParameters(data?.completion_params ?? {}) }, provider: data?.provider ?? '' };
}

function parseTools(value: unknown): readonly AgentToolSettings[] {
	const tools = z.array(agentToolSchema).safeParse(value ?? []);
	if (!tools.success) {
		throw new NodeError(
			"The tools of the agent aren't a valid list. Expected agent_parameters.tools as exported by Dify.",
			'AgentInputTypeError',
		);
	}
	return tools.data.filter(({ enabled }) => enabled === true);
}
