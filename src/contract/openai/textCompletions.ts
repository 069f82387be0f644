import * as z from 'zod';
import { createIntegerSchema, createNumberSchema } from '../ranges.ts';
import { createOpenAiUsageSchema, createTimestampSchema } from './chatCompletions.ts';

/** Body of `POST /v1/completions`, the legacy API: the fields that are translated to other protocols. */
export const textCompletionRequestSchema = z.looseObject({
	model: z.string().min(1),
	prompt: z.union([z.string(), z.array(z.string()).min(1), z.array(z.int()).min(1), z.array(z.array(z.int())).min(1)]),
	stream: z.boolean().optional(),
	stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).optional(),
	max_tokens: createIntegerSchema({ from: 1 }).optional(),
	temperature: createNumberSchema({ from: 0, to: 2 }).optional(),
	top_p: createNumberSchema({ from: 0, to: 1 }).optional(),
	top_k: createIntegerSchema({ from: 1 }).optional(),
	seed: z.int().optional(),
	presence_penalty: createNumberSchema({ from: -2, to: 2 }).optional(),
	frequency_penalty: createNumberSchema({ from: -2, to: 2 }).optional(),
	stop: z.union([z.string(), z.array(z.string()).max(4, 'expected at most 4 strings')]).optional(),
});
export type TextCompletionRequest = z.infer<typeof textCompletionRequestSchema>;

/** Response of `POST /v1/completions`; in a stream, each chunk has an increment as `text`, and only the last one a reason. */
export const createTextCompletionSchema = () =>
	z.looseObject({
		id: z.string(),
		object: z.literal('text_completion'),
		created: createTimestampSchema(),
		model: z.string(),
		choices: z.array(z.object({ text: z.string(), index: z.int(), logprobs: z.null(), finish_reason: z.string().nullable() })),
		usage: createOpenAiUsageSchema().nullable().exactOptional(),
	});
export type TextCompletion = z.infer<ReturnType<typeof createTextCompletionSchema>>;
