import * as z from 'zod';
import { integerIn, numberIn } from '../ranges.ts';

/** Part of a message's content: `text`, `image_url`, `file`, `refusal` and whatever else services take. */
export const chatContentPartSchema = z.looseObject({ type: z.string().min(1) });
export type ChatContentPart = z.infer<typeof chatContentPartSchema>;

/** A call of the model: of a function, with its arguments as JSON text, or of a custom tool, with a text. */
export const chatToolCallSchema = z.looseObject({
	id: z.string().min(1),
	type: z.string().optional(),
	function: z.looseObject({ name: z.string().min(1), arguments: z.string().nullish() }).optional(),
	custom: z.looseObject({ name: z.string().min(1), input: z.string() }).optional(),
});
export type ChatToolCall = z.infer<typeof chatToolCallSchema>;

/** Message of a conversation. `reasoning_content` and `reasoning` are two names for the thoughts of a turn of the model. */
export const chatCompletionMessageSchema = z.looseObject({
	role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
	content: z.union([z.string(), z.array(chatContentPartSchema)]).nullish(),
	tool_calls: z.array(chatToolCallSchema).nullish(),
	tool_call_id: z.string().nullish(),
	refusal: z.string().nullish(),
	reasoning_content: z.string().nullish(),
	reasoning: z.unknown().optional(),
});
export type ChatCompletionMessage = z.infer<typeof chatCompletionMessageSchema>;

/** Body of `POST /v1/chat/completions`, as far as it is translated to other protocols. */
export const chatCompletionRequestSchema = z.looseObject({
	model: z.string().min(1),
	messages: z.array(chatCompletionMessageSchema).min(1),
	stream: z.boolean().optional(),
	stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).optional(),
	max_completion_tokens: integerIn({ from: 1 }).optional(),
	max_tokens: integerIn({ from: 1 }).optional(),
	temperature: numberIn({ from: 0, to: 2 }).optional(),
	top_p: numberIn({ from: 0, to: 1 }).optional(),
	top_k: integerIn({ from: 1 }).optional(),
	seed: z.int().optional(),
	presence_penalty: numberIn({ from: -2, to: 2 }).optional(),
	frequency_penalty: numberIn({ from: -2, to: 2 }).optional(),
	stop: z.union([z.string(), z.array(z.string()).max(4, 'expected at most 4 texts')]).optional(),
	n: integerIn({ from: 1, to: 128 }).optional(),
	reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
	response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
	tools: z.array(z.looseObject({ type: z.string() })).optional(),
	tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).optional(),
	parallel_tool_calls: z.boolean().optional(),
});
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

/** Tokens of a reply; those of a cache and of reasoning are part of their sums. */
export interface OpenAiUsage {
	prompt_tokens: number;
	completion_tokens: number;
	total_tokens: number;
	prompt_tokens_details?: { cached_tokens: number };
	completion_tokens_details?: { reasoning_tokens: number };
}

/** Answer of `POST /v1/chat/completions`. `created` in Unix seconds. */
export interface ChatCompletion {
	id: string;
	object: 'chat.completion';
	created: number;
	model: string;
	choices: { index: number; message: Record<string, unknown>; logprobs: null; finish_reason: string }[];
	usage: OpenAiUsage;
	[field: string]: unknown;
}
