import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ResponseObject, ResponsesRequest, ResponseTool, ResponseUsage } from '#contract/openai/responses.ts';
import { createId } from '../newId.ts';

/**
 * Creates a reply that has no items yet. It repeats the request's settings, with defaults for missing ones.
 * @param tools the request's tools that are supported
 * @param now Unix milliseconds
 */
export function createResponseHead(request: ResponsesRequest, model: string, tools: readonly ResponseTool[], now: number): ResponseObject {
	const { service_tier: tier = 'auto' } = request;
	return {
		id: createId('resp_'),
		object: 'response',
		created_at: Math.floor(now / 1000),
		completed_at: null,
		status: 'in_progress',
		incomplete_details: null,
		model,
		previous_response_id: request.previous_response_id ?? null,
		instructions: request.instructions ?? null,
		output: [],
		error: null,
		tools: [...tools],
		tool_choice: request.tool_choice ?? 'auto',
		truncation: request.truncation ?? 'disabled',
		parallel_tool_calls: request.parallel_tool_calls ?? true,
		text: { ...request.text, format: request.text?.format ?? { type: 'text' } },
		top_p: request.top_p ?? 1,
		temperature: request.temperature ?? 1,
		presence_penalty: request.presence_penalty ?? 0,
		frequency_penalty: request.frequency_penalty ?? 0,
		top_logprobs: request.top_logprobs ?? 0,
		reasoning: { effort: request.reasoning?.effort ?? null, summary: request.reasoning?.summary ?? null },
		user: request.user ?? null,
		usage: null,
		max_output_tokens: request.max_output_tokens ?? null,
		max_tool_calls: request.max_tool_calls ?? null,
		store: request.store ?? true,
		background: false,
		service_tier: tier === 'auto' ? 'default' : tier,
		metadata: request.metadata ?? {},
		safety_identifier: request.safety_identifier ?? null,
		prompt_cache_key: request.prompt_cache_key ?? null,
	};
}

/** Converts token counts to those of a response. */
export function toResponseUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ResponseUsage {
	const input = inputTokens.total ?? 0;
	const output = outputTokens.total ?? 0;
	return {
		input_tokens: input,
		input_tokens_details: { cached_tokens: inputTokens.cacheRead ?? 0 },
		output_tokens: output,
		output_tokens_details: { reasoning_tokens: outputTokens.reasoning ?? 0 },
		total_tokens: input + output,
	};
}
