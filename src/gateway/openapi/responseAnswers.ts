import * as z from 'zod';
import { responseToolSchema } from '#contract/openai/responses.ts';

const status = z.enum(['in_progress', 'completed', 'incomplete']);
const called = { id: z.string(), call_id: z.string(), name: z.string(), namespace: z.string().exactOptional(), status };

const outputItem = z.discriminatedUnion('type', [
	z.looseObject({
		type: z.literal('message'),
		id: z.string(),
		role: z.literal('assistant'),
		status,
		content: z.array(
			z.looseObject({
				type: z.literal('output_text'),
				text: z.string(),
				annotations: z.array(z.unknown()),
				logprobs: z.array(z.unknown()),
			}),
		),
	}),
	z.looseObject({ type: z.literal('function_call'), ...called, arguments: z.string().describe('JSON text.') }),
	z.looseObject({ type: z.literal('custom_tool_call'), ...called, input: z.string() }),
	z.looseObject({
		type: z.literal('reasoning'),
		id: z.string(),
		summary: z.array(z.looseObject({ type: z.literal('summary_text'), text: z.string() })),
		encrypted_content: z.string().exactOptional().describe('For its service alone: to be sent back as it is.'),
	}),
]);

const nullableText = z.string().nullable();
const nullableInt = z.int().nullable();

/** Answer of a request for a response, and of reading one that is kept. */
export const responseAnswer = z.looseObject({
	id: z.string(),
	object: z.literal('response'),
	created_at: z.int().describe('Unix seconds.'),
	completed_at: nullableInt,
	status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
	incomplete_details: z.looseObject({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
	model: z.string(),
	previous_response_id: nullableText,
	instructions: nullableText,
	output: z.array(outputItem),
	error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
	tools: z.array(responseToolSchema),
	tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
	truncation: z.enum(['auto', 'disabled']),
	parallel_tool_calls: z.boolean(),
	text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
	top_p: z.number(),
	temperature: z.number(),
	presence_penalty: z.number(),
	frequency_penalty: z.number(),
	top_logprobs: z.int(),
	reasoning: z.looseObject({ effort: nullableText, summary: nullableText }),
	user: nullableText,
	usage: z
		.looseObject({
			input_tokens: z.int(),
			input_tokens_details: z.looseObject({ cached_tokens: z.int() }),
			output_tokens: z.int(),
			output_tokens_details: z.looseObject({ reasoning_tokens: z.int() }),
			total_tokens: z.int(),
		})
		.nullable(),
	max_output_tokens: nullableInt,
	max_tool_calls: nullableInt,
	store: z.boolean(),
	background: z.boolean(),
	service_tier: z.string(),
	metadata: z.record(z.string(), z.unknown()),
	safety_identifier: nullableText,
	prompt_cache_key: nullableText,
	conversation_id: z.string().exactOptional().describe('That of the agent that answered.'),
});

/** Answer of deleting a response. */
export const responseDeletedAnswer = z.looseObject({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) });

/** Answer of `POST /v1/responses/input_tokens`. */
export const responseTokensAnswer = z.looseObject({ object: z.literal('response.input_tokens'), input_tokens: z.int() });

/** Answer of `POST /v1/responses/compact`: the items that the conversation continues with. */
export const responseCompactedAnswer = z.looseObject({
	object: z.literal('response.compaction'),
	output: z.array(z.looseObject({ type: z.string() })),
});
