import * as z from 'zod';
import { createIntegerSchema, createNumberSchema } from '../ranges.ts';

/** Part of a message's content: `text`, `image_url`, `file`, `refusal`, or others. */
const chatContentPartSchema = z.looseObject({ type: z.string().min(1) });
export type ChatContentPart = z.infer<typeof chatContentPartSchema>;

/** A tool call of the model: a function with arguments as JSON text, or a custom tool with text. */
const chatToolCallSchema = z.looseObject({
	id: z.string().min(1),
	type: z.string().optional(),
	function: z.looseObject({ name: z.string().min(1), arguments: z.string().nullish() }).optional(),
	custom: z.looseObject({ name: z.string().min(1), input: z.string() }).optional(),
});
export type ChatToolCall = z.infer<typeof chatToolCallSchema>;

/** Message of a conversation. `reasoning_content` and `reasoning` are alternative names for the model's reasoning. */
const chatCompletionMessageSchema = z.looseObject({
	role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
	content: z.union([z.string(), z.array(chatContentPartSchema)]).nullish(),
	tool_calls: z.array(chatToolCallSchema).nullish(),
	tool_call_id: z.string().nullish(),
	refusal: z.string().nullish(),
	reasoning_content: z.string().nullish(),
	reasoning: z.unknown().optional(),
});
export type ChatCompletionMessage = z.infer<typeof chatCompletionMessageSchema>;

/** Body of `POST /v1/chat/completions`: the fields that are translated to other protocols. */
export const chatCompletionRequestSchema = z.looseObject({
	model: z.string().min(1),
	messages: z.array(chatCompletionMessageSchema).min(1),
	stream: z.boolean().optional(),
	stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).optional(),
	max_completion_tokens: createIntegerSchema({ from: 1 }).optional(),
	max_tokens: createIntegerSchema({ from: 1 }).optional(),
	temperature: createNumberSchema({ from: 0, to: 2 }).optional(),
	top_p: createNumberSchema({ from: 0, to: 1 }).optional(),
	top_k: createIntegerSchema({ from: 1 }).optional(),
	seed: z.int().optional(),
	presence_penalty: createNumberSchema({ from: -2, to: 2 }).optional(),
	frequency_penalty: createNumberSchema({ from: -2, to: 2 }).optional(),
	stop: z.union([z.string(), z.array(z.string()).max(4, 'expected at most 4 strings')]).optional(),
	n: createIntegerSchema({ from: 1, to: 128 }).optional(),
	reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
	response_format: z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }).optional(),
	tools: z.array(z.looseObject({ type: z.string() })).optional(),
	tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).optional(),
	parallel_tool_calls: z.boolean().optional(),
});
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

/** Fields of a request to an agent that OpenAI's API doesn't have. Its SDKs accept them as extra fields. */
export const agentFields = {
	inputs: z.record(z.string(), z.unknown()).optional(),
	conversation_id: z.string().min(1).optional(),
	user: z.string().min(1).optional(),
};

/** Body of chat completions for an agent. */
export const agentChatRequestSchema = chatCompletionRequestSchema.extend(agentFields);

/** Creation time of a reply. */
export const createTimestampSchema = () => z.int().describe('Unix seconds.');

/** Tokens of a reply; cached and reasoning tokens are included in the totals. */
export const createOpenAiUsageSchema = () =>
	z.object({
		prompt_tokens: z.int(),
		completion_tokens: z.int(),
		total_tokens: z.int(),
		prompt_tokens_details: z.object({ cached_tokens: z.int() }).exactOptional(),
		completion_tokens_details: z.object({ reasoning_tokens: z.int() }).exactOptional(),
	});
export type OpenAiUsage = z.infer<ReturnType<typeof createOpenAiUsageSchema>>;

/** Response of `POST /v1/chat/completions`. */
export const createChatCompletionSchema = () =>
	z.looseObject({
		id: z.string(),
		object: z.literal('chat.completion'),
		created: createTimestampSchema(),
		model: z.string(),
		choices: z.array(
			z.object({
				index: z.int(),
				message: z.looseObject({
					role: z.literal('assistant'),
					content: z.string().nullable(),
					refusal: z.string().nullable(),
					tool_calls: z
						.array(
							z.object({
								id: z.string(),
								type: z.literal('function'),
								function: z.object({ name: z.string(), arguments: z.string().describe('JSON text.') }),
							}),
						)
						.exactOptional(),
					reasoning_content: z.string().exactOptional(),
					reasoning: z.string().exactOptional(),
				}),
				logprobs: z.null(),
				finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter']),
			}),
		),
		usage: createOpenAiUsageSchema(),
		conversation_id: z.string().exactOptional().describe('Conversation ID of a chat with an agent.'),
	});
export type ChatCompletion = z.infer<ReturnType<typeof createChatCompletionSchema>>;
