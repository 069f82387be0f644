import type {
	JSONObject,
	JSONSchema7,
	LanguageModelV4CallOptions,
	LanguageModelV4FunctionTool,
	LanguageModelV4ToolChoice,
} from '@ai-sdk/provider';
import type { MessagesRequest, Tool } from '../../../protocol/messages.ts';
import { ServiceFault } from '../../server/serviceFault.ts';
import { messagesPrompt } from './messagesPrompt.ts';

/** A request of C as a call of a language model. Only settings that the caller gave are set. Throws a fault (400) for what no other provider has. */
export function messagesCall(request: MessagesRequest): LanguageModelV4CallOptions {
	const { max_tokens, stop_sequences, temperature, top_k, top_p, tools } = request;
	const choice = request.tool_choice ?? request.tool_choices;
	return {
		prompt: messagesPrompt(request),
		...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
		...(stop_sequences?.length && { stopSequences: stop_sequences }),
		...(temperature !== undefined && { temperature }),
		...(top_k !== undefined && { topK: top_k }),
		...(top_p !== undefined && { topP: top_p }),
		...(tools?.length && { tools: tools.map(functionTool) }),
		...(choice && { toolChoice: toolChoice(choice) }),
		...responseFormat(request),
		...thinking(request['thinking']),
	};
}

function functionTool(tool: Tool, index: number): LanguageModelV4FunctionTool {
	const type = tool['type'];
	if (type !== undefined && type !== null && type !== 'custom') {
		throw new ServiceFault(400, `tools.${index}: ${String(type)} is a tool of Anthropic’s own, and this model’s route leads elsewhere.`);
	}
	return {
		type: 'function',
		name: tool.name,
		...(tool.description !== undefined && { description: tool.description }),
		inputSchema: (tool.input_schema ?? { type: 'object', properties: {} }) as JSONSchema7,
		...(typeof tool['strict'] === 'boolean' && { strict: tool['strict'] }),
	};
}

function toolChoice(choice: Record<string, unknown>): LanguageModelV4ToolChoice {
	switch (choice['type']) {
		case 'auto':
		case 'none':
			return { type: choice['type'] };
		case 'any':
			return { type: 'required' };
		case 'tool':
			if (typeof choice['name'] === 'string') {
				return { type: 'tool', toolName: choice['name'] };
			}
			throw new ServiceFault(400, 'tool_choice.name: Field required');
		default:
			throw new ServiceFault(400, `tool_choice.type: expected auto, any, tool or none, got ${String(choice['type'])}`);
	}
}

/** Structured output: `output_config.format`, or `output_format` of the time when it was a beta. */
function responseFormat(request: MessagesRequest): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	const config = request['output_config'];
	const format = (isObject(config) ? config['format'] : undefined) ?? request['output_format'];
	return isObject(format) && format['type'] === 'json_schema'
		? { responseFormat: { type: 'json', ...(isObject(format['schema']) && { schema: format['schema'] as JSONSchema7 }) } }
		: {};
}

/** Thinking is a token budget here and in Gemini, and an effort elsewhere. */
function thinking(value: unknown): Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'> {
	if (!isObject(value) || (value['type'] !== 'enabled' && value['type'] !== 'adaptive')) {
		return {};
	}
	const budget = value['budget_tokens'];
	const google: JSONObject = { thinkingConfig: { includeThoughts: true, ...(typeof budget === 'number' && { thinkingBudget: budget }) } };
	if (typeof budget !== 'number') {
		return { providerOptions: { google } };
	}
	return { reasoning: budget < 4_096 ? 'low' : budget < 16_384 ? 'medium' : 'high', providerOptions: { google } };
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
