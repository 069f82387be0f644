import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4ToolChoice } from '@ai-sdk/provider';
import { isRecord } from '#base/records/plainValues.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import { addExtras, listUnreadFields, type ModelCall } from '../modelCall.ts';
import { createMessagesPrompt } from './messagesPrompt.ts';
import { readMessagesThinking } from './messagesThinking.ts';
import { readMessagesTools } from './messagesTools.ts';

/**
 * Converts a messages request (C) to a language model call. Only sets what the caller set. Throws an error (400) for features that other
 * providers don't have.
 */
export function createMessagesCall(request: MessagesRequest): ModelCall {
	const { max_tokens, stop_sequences, temperature, top_k, top_p } = request;
	const choice = request.tool_choice ?? request.tool_choices;
	const lost: string[] = [
		...listUnreadFields(request, readFields),
		...listUnreadFields(request['output_config'], readOutputFields, 'output_config.'),
	];
	const { tools, webSearch } = readMessagesTools(request, lost);
	const call: LanguageModelV4CallOptions = {
		prompt: createMessagesPrompt(request, lost),
		...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
		...(stop_sequences?.length && { stopSequences: stop_sequences }),
		...(temperature !== undefined && { temperature }),
		...(top_k !== undefined && { topK: top_k }),
		...(top_p !== undefined && { topP: top_p }),
		...(tools.length > 0 && { tools }),
		...(choice && { toolChoice: readToolChoice(choice) }),
		...readResponseFormat(request),
		...readMessagesThinking(request),
	};
	const { user_id: userId, ...others } = request.metadata ?? {};
	return addExtras(call, {
		...(webSearch && { webSearch }),
		...(choice?.['disable_parallel_tool_use'] === true && { singleToolCall: { field: 'tool_choice.disable_parallel_tool_use' } }),
		...(typeof userId === 'string' && { userId }),
		lost: [...lost, ...listUnreadFields(others, new Set(), 'metadata.')],
	});
}

/**
 * Fields that are converted, refused, or irrelevant to other services: `cache_control` is about Anthropic's caches, `service_tier`,
 * `inference_geo` and `speed` about its machines, `diagnostics` and `betas` about its API.
 */
const readFields = new Set([
	'model',
	'messages',
	'max_tokens',
	'metadata',
	'stop_sequences',
	'stream',
	'system',
	'temperature',
	'tool_choices',
	'tool_choice',
	'tools',
	'top_k',
	'top_p',
	'thinking',
	'output_config',
	'output_format',
	'thread',
	'cache_control',
	'service_tier',
	'inference_geo',
	'speed',
	'diagnostics',
	'betas',
]);

const readOutputFields = new Set(['format', 'effort']);

function readToolChoice(choice: Record<string, unknown>): LanguageModelV4ToolChoice {
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

/** Reads the format for structured output: `output_config.format`, or `output_format` from its beta. */
function readResponseFormat(request: MessagesRequest): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	const config = request['output_config'];
	const format = (isRecord(config) ? config['format'] : undefined) ?? request['output_format'];
	return isRecord(format) && format['type'] === 'json_schema'
		? { responseFormat: { type: 'json', ...(isRecord(format['schema']) && { schema: format['schema'] as JSONSchema7 }) } }
		: {};
}
