import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseInputItem, ResponsesRequest } from '#contract/openai/responses.ts';
import { addExtras, listUnreadFields, type ModelCall } from '../modelCall.ts';
import { readOpenAiSettings } from '../openai/openAiSettings.ts';
import { createResponsePrompt } from './responsePrompt.ts';
import { ResponseTools } from './responseTools.ts';

/** A language model call with its tools. The reply names these as the request does. */
interface ResponsesCall {
	readonly call: ModelCall;
	readonly tools: ResponseTools;
}

/**
 * Converts a request of POST /v1/responses to a call. Throws an error (400) for unsupported features.
 * @param items the whole input, including earlier turns of the conversation
 */
export function createResponsesCall(request: ResponsesRequest, items: readonly ResponseInputItem[]): ResponsesCall {
	const { max_output_tokens: maxOutputTokens, temperature, top_p, presence_penalty, frequency_penalty } = request;
	const lost: string[] = listUnreadFields(request, readFields);
	if (request.top_logprobs) {
		lost.push("top_logprobs: ignored because this model's service has none");
	}
	const tools = new ResponseTools(request, lost);
	const choice = tools.readChoice(request.tool_choice, lost);
	const call: LanguageModelV4CallOptions = {
		prompt: createResponsePrompt(request.instructions, items, tools, lost),
		...readOpenAiSettings({ temperature, top_p, presence_penalty, frequency_penalty }),
		...(maxOutputTokens !== undefined && { maxOutputTokens }),
		...(tools.offered.length > 0 && { tools: [...tools.offered] }),
		...(choice && { toolChoice: choice }),
		...readResponseFormat(request.text?.format),
		...readThinking(request.reasoning),
	};
	return {
		call: addExtras(call, { ...(request.parallel_tool_calls === false && { singleToolCall: { field: 'parallel_tool_calls' } }), lost }),
		tools,
	};
}

/** Fields that are converted, refused, or irrelevant to other services: caches, tiers, user IDs, padding of streams. */
const readFields = new Set([
	...['model', 'input', 'instructions', 'previous_response_id', 'stream', 'stream_options', 'store', 'include', 'tools', 'tool_choice'],
	...['parallel_tool_calls', 'max_tool_calls', 'max_output_tokens', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
	...['top_logprobs', 'reasoning', 'text', 'truncation', 'metadata', 'user', 'safety_identifier', 'prompt_cache_key'],
	...['prompt_cache_retention', 'service_tier', 'background', 'client_metadata'],
]);

type Thinking = Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>;

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Reads how much to think and whether to show it. Gemini only includes thinking on request. */
function readThinking({ effort, summary }: NonNullable<ResponsesRequest['reasoning']> = {}): Thinking {
	const known = efforts.find(name => name === effort);
	if (effort && known === undefined) {
		throw new ServiceFault(400, `reasoning.effort: expected ${efforts.join(', ')}, got ${effort.slice(0, 100)}.`, {
			params: 'reasoning.effort',
		});
	}
	return {
		...(known && { reasoning: known }),
		...(summary && effort !== 'none' && { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
	};
}

function readResponseFormat(format: NonNullable<ResponsesRequest['text']>['format']): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	if (!format || format.type === 'text') {
		return {};
	}
	const { name, description, schema } = format;
	if (format.type === 'json_schema' && !schema) {
		throw new ServiceFault(400, "Missing required parameter: 'text.format.schema'.", { params: 'text.format.schema' });
	}
	return {
		responseFormat: {
			type: 'json',
			...(format.type === 'json_schema' && schema && { schema: schema as JSONSchema7 }),
			...(name !== undefined && { name }),
			...(description && { description }),
		},
	};
}
