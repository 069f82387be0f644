import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseInputItem, ResponsesRequest } from '#contract/openai/responses.ts';
import { type ModelCall, unreadFields, withExtras } from '../modelCall.ts';
import { openAiSettings } from '../openai/openAiSettings.ts';
import { responsePrompt } from './responsePrompt.ts';
import { ResponseTools } from './responseTools.ts';

/** A request as a call of a language model, and its tools, which the reply is to name as the request did. */
interface ResponsesCall {
	readonly call: ModelCall;
	readonly tools: ResponseTools;
}

/**
 * A request of POST /v1/responses as a call. `items`: its whole input, that of the conversation before it included. Throws a fault (400) for what
 * cannot be carried over.
 */
export function responsesCall(request: ResponsesRequest, items: readonly ResponseInputItem[]): ResponsesCall {
	const { max_output_tokens: maxOutputTokens, temperature, top_p, presence_penalty, frequency_penalty } = request;
	const lost: string[] = unreadFields(request, readFields);
	if (request.top_logprobs) {
		lost.push('top_logprobs: not carried over, there are none behind this model');
	}
	const tools = new ResponseTools(request, lost);
	const choice = tools.choice(request.tool_choice, lost);
	const call: LanguageModelV4CallOptions = {
		prompt: responsePrompt(request.instructions, items, tools, lost),
		...openAiSettings({ temperature, top_p, presence_penalty, frequency_penalty }),
		...(maxOutputTokens !== undefined && { maxOutputTokens }),
		...(tools.offered.length > 0 && { tools: [...tools.offered] }),
		...(choice && { toolChoice: choice }),
		...responseFormat(request.text?.format),
		...thinking(request.reasoning),
	};
	return {
		call: withExtras(call, { ...(request.parallel_tool_calls === false && { singleToolCall: { field: 'parallel_tool_calls' } }), lost }),
		tools,
	};
}

/** Fields that are carried over or refused, and those that say nothing to another service: of caches, tiers, own users, padding of streams. */
const readFields = new Set([
	...['model', 'input', 'instructions', 'previous_response_id', 'stream', 'stream_options', 'store', 'include', 'tools', 'tool_choice'],
	...['parallel_tool_calls', 'max_tool_calls', 'max_output_tokens', 'temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
	...['top_logprobs', 'reasoning', 'text', 'truncation', 'metadata', 'user', 'safety_identifier', 'prompt_cache_key'],
	...['prompt_cache_retention', 'service_tier', 'background', 'client_metadata'],
]);

type Thinking = Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'>;

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** How much to think, and whether to show it: Gemini shows its thoughts only to those who ask. */
function thinking({ effort, summary }: NonNullable<ResponsesRequest['reasoning']> = {}): Thinking {
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

function responseFormat(format: NonNullable<ResponsesRequest['text']>['format']): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
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
