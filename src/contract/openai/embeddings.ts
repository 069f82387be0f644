import * as z from 'zod';
import { createIntegerSchema } from '../ranges.ts';

/** Body of `POST /v1/embeddings`: strings, or tokens, which only the model's own service can read. */
export const embeddingsRequestSchema = z.looseObject({
	model: z.string().min(1),
	input: z.union([
		z.string().min(1),
		z.array(z.string().min(1)).min(1).max(2048, 'expected at most 2048 strings'),
		z.array(z.int()).min(1),
		z.array(z.array(z.int()).min(1)).min(1),
	]),
	encoding_format: z.enum(['float', 'base64']).optional(),
	dimensions: createIntegerSchema({ from: 1, to: 16_384 }).optional(),
	user: z.string().optional(),
});
export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;

/** Response of `POST /v1/embeddings`. */
export const createEmbeddingsResponseSchema = () =>
	z.object({
		object: z.literal('list'),
		data: z.array(
			z.object({
				object: z.literal('embedding'),
				index: z.int(),
				embedding: z.union([z.array(z.number()), z.string().describe('Base64 of little-endian 32-bit floats.')]),
			}),
		),
		model: z.string(),
		usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
	});
export type EmbeddingsResponse = z.infer<ReturnType<typeof createEmbeddingsResponseSchema>>;
