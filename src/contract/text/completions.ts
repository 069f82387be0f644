import * as z from 'zod';
import { createIntegerSchema, createNumberSchema } from '../ranges.ts';

/**
 * Body of a completions request (D1) with the contract's limits, some of which exclude their bounds (`0 < temperature < 1`,
 * `max_tokens_to_sample > 1`).
 */
export const completionsRequestSchema = z.looseObject({
	model: z.string().min(1),
	prompt: z.string().min(1),
	max_tokens_to_sample: createIntegerSchema({ above: 1 }),
	metadata: z.record(z.string(), z.unknown()).optional(),
	stop_sequences: z.array(z.string()).optional(),
	stream: z.boolean().optional(),
	temperature: createNumberSchema({ above: 0, below: 1 }).optional(),
	top_k: createNumberSchema({ above: 0 }).optional(),
	top_p: createNumberSchema({ above: 0, below: 1 }).optional(),
	max_tokens: createIntegerSchema({ from: 1 }).optional(),
});
export type CompletionsRequest = z.infer<typeof completionsRequestSchema>;

/**
 * Response of a completions request (D1), and each `completion` event of its stream, in which `completion` is an increment (wire facts 3).
 */
export const createCompletionsResponseSchema = () =>
	z.looseObject({
		id: z.string(),
		type: z.literal('completion'),
		model: z.string(),
		completion: z.string(),
		stop_reason: z.string().nullable(),
	});
export type CompletionsResponse = z.infer<ReturnType<typeof createCompletionsResponseSchema>>;

export type CompletionsStreamEvent =
	| CompletionsResponse
	| { type: 'ping' }
	| { type: 'error'; error: { type: string; message: string } }
	| { type: string & {}; [field: string]: unknown };
