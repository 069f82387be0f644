import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ChatCompletionRequest } from '#contract/openai/chatCompletions.ts';
import { addExtras, listUnreadFields, type ModelCall } from '../modelCall.ts';
import { hasRequestedValue, isMoreThanOne, readOpenAiSettings, refuseUnsupported } from '../openai/openAiSettings.ts';
import { createChatPrompt } from './chatPrompt.ts';
import { readChatToolChoice, readChatTools } from './chatTools.ts';

/**
 * Converts a chat completions request to a language model call. Only sets what the caller set. Throws an error (400) with the field for
 * features that other providers don't have.
 */
export function createChatCall(request: ChatCompletionRequest): ModelCall {
	refuseOpenAiFeatures(request);
	const lost: string[] = listUnreadFields(request, readFields);
	const offered = readChatTools(request.tools ?? [], lost);
	const { tools, toolChoice } = readChatToolChoice(request.tool_choice, offered);
	const maxOutputTokens = request.max_completion_tokens ?? request.max_tokens;
	const call: LanguageModelV4CallOptions = {
		prompt: createChatPrompt(request.messages, lost),
		...(maxOutputTokens !== undefined && { maxOutputTokens }),
		...readOpenAiSettings(request),
		...(tools.length > 0 && { tools }),
		...(toolChoice && { toolChoice }),
		...readResponseFormat(request.response_format),
		...readReasoning(request.reasoning_effort),
	};
	return addExtras(call, { ...(request.parallel_tool_calls === false && { singleToolCall: { field: 'parallel_tool_calls' } }), lost });
}

/** Fields that are converted, refused, or irrelevant to other services. */
const readFields = new Set([
	...['model', 'messages', 'stream', 'stream_options', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'top_k', 'seed'],
	...['presence_penalty', 'frequency_penalty', 'stop', 'n', 'reasoning_effort', 'response_format', 'tools', 'tool_choice'],
	...['logprobs', 'top_logprobs', 'logit_bias', 'audio', 'modalities', 'web_search_options', 'functions', 'function_call'],
	...['user', 'metadata', 'store', 'service_tier', 'prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'verbosity'],
	...['parallel_tool_calls', 'safety_identifier', 'prediction'],
]);

function refuseOpenAiFeatures(request: ChatCompletionRequest): void {
	const { n, logprobs, top_logprobs: topLogprobs, logit_bias: bias, modalities } = request;
	refuseUnsupported({
		n: isMoreThanOne(n),
		logprobs: logprobs === true,
		top_logprobs: typeof topLogprobs === 'number' && topLogprobs > 0,
		logit_bias: hasRequestedValue(bias),
		modalities: Array.isArray(modalities) && modalities.some(modality => modality !== 'text'),
		audio: hasRequestedValue(request['audio']),
		web_search_options: request['web_search_options'] !== undefined,
		functions: hasRequestedValue(request['functions']),
		function_call: hasRequestedValue(request['function_call']),
	});
}

function readResponseFormat(format: ChatCompletionRequest['response_format']): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
	if (format?.type === 'json_object') {
		return { responseFormat: { type: 'json' } };
	}
	if (format?.type !== 'json_schema') {
		return {};
	}
	const { schema, name, description } = (format['json_schema'] ?? {}) as Record<string, unknown>;
	if (typeof schema !== 'object' || schema === null) {
		throw new ServiceFault(400, "Missing required parameter: 'response_format.json_schema.schema'.", {
			params: 'response_format.json_schema.schema',
		});
	}
	return {
		responseFormat: {
			type: 'json',
			schema: schema as JSONSchema7,
			...(typeof name === 'string' && { name }),
			...(typeof description === 'string' && { description }),
		},
	};
}

/** Requests thinking to be shown if an effort is set, because services of OpenAI's protocol send it without being asked. */
function readReasoning(
	effort: ChatCompletionRequest['reasoning_effort'],
): Pick<LanguageModelV4CallOptions, 'reasoning' | 'providerOptions'> {
	return effort === undefined
		? {}
		: {
				reasoning: effort,
				...(effort !== 'none' && { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }),
			};
}
