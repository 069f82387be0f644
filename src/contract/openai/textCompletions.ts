import * as z from 'zod';
import { integerIn, numberIn } from '../ranges.ts';
import type { OpenAiUsage } from './chatCompletions.ts';

/** Body of `POST /v1/completions`, the older way to a text, as far as it is translated to other protocols. */
export const textCompletionRequestSchema = z.looseObject({
	model: z.string().min(1),
	prompt: z.union([z.string(), z.array(z.string()).min(1), z.array(z.int()).min(1), z.array(z.array(z.int())).min(1)]),
	stream: z.boolean().optional(),
	stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).optional(),
	max_tokens: integerIn({ from: 1 }).optional(),
	temperature: numberIn({ from: 0, to: 2 }).optional(),
	top_p: numberIn({ from: 0, to: 1 }).optional(),
	top_k: integerIn({ from: 1 }).optional(),
	seed: z.int().optional(),
	presence_penalty: numberIn({ from: -2, to: 2 }).optional(),
	frequency_penalty: numberIn({ from: -2, to: 2 }).optional(),
	stop: z.union([z.string(), z.array(z.string()).max(4, 'expected at most 4 texts')]).optional(),
});
export type TextCompletionRequest = z.infer<typeof textCompletionRequestSchema>;

/** Answer of `POST /v1/completions`; a chunk of its stream has an increment as `text`, and no reason before the last. `created` in Unix seconds. */
export interface TextCompletion {
	id: string;
	object: 'text_completion';
	created: number;
	model: string;
	choices: { text: string; index: number; logprobs: null; finish_reason: string | null }[];
	usage?: OpenAiUsage | null;
	[field: string]: unknown;
}
