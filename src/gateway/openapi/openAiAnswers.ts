import * as z from 'zod';
import type { ChatCompletion, OpenAiUsage } from '#contract/openai/chatCompletions.ts';
import type { EmbeddingsResponse } from '#contract/openai/embeddings.ts';
import type { TextCompletion } from '#contract/openai/textCompletions.ts';

// What OpenAI's endpoints answer, for the description alone. Each schema is held to the type that both sides share.

const created = z.int().describe('Unix seconds.');

const usage: z.ZodType<OpenAiUsage> = z.looseObject({
	prompt_tokens: z.int(),
	completion_tokens: z.int(),
	total_tokens: z.int(),
	prompt_tokens_details: z.looseObject({ cached_tokens: z.int() }).exactOptional(),
	completion_tokens_details: z.looseObject({ reasoning_tokens: z.int() }).exactOptional(),
});

const toolCall = z.looseObject({
	id: z.string(),
	type: z.literal('function'),
	function: z.looseObject({ name: z.string(), arguments: z.string().describe('JSON text.') }),
});

export const chatCompletionAnswer: z.ZodType<ChatCompletion> = z.looseObject({
	id: z.string(),
	object: z.literal('chat.completion'),
	created,
	model: z.string(),
	choices: z.array(
		z.looseObject({
			index: z.int(),
			message: z.looseObject({
				role: z.literal('assistant'),
				content: z.string().nullable(),
				refusal: z.string().nullable(),
				tool_calls: z.array(toolCall).exactOptional(),
				reasoning_content: z.string().exactOptional(),
				reasoning: z.string().exactOptional(),
			}),
			logprobs: z.null(),
			finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter']),
		}),
	),
	usage,
	conversation_id: z.string().exactOptional().describe('Of a chat with an agent.'),
});

export const textCompletionAnswer: z.ZodType<TextCompletion> = z.looseObject({
	id: z.string(),
	object: z.literal('text_completion'),
	created,
	model: z.string(),
	choices: z.array(z.looseObject({ text: z.string(), index: z.int(), logprobs: z.null(), finish_reason: z.string().nullable() })),
	usage: usage.nullable().exactOptional(),
});

export const embeddingsAnswer: z.ZodType<EmbeddingsResponse> = z.looseObject({
	object: z.literal('list'),
	data: z.array(
		z.looseObject({
			object: z.literal('embedding'),
			index: z.int(),
			embedding: z.union([z.array(z.number()), z.string().describe('Base64 of little-endian 32-bit floats.')]),
		}),
	),
	model: z.string(),
	usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
