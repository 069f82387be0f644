import * as z from 'zod';
import { integerIn } from '../ranges.ts';

/** Body of `POST /v1/embeddings`: texts, or the tokens of texts, which only the service that made them can read. */
export const embeddingsRequestSchema = z.looseObject({
	model: z.string().min(1),
	input: z.union([
		z.string().min(1),
		z.array(z.string().min(1)).min(1).max(2048, 'expected at most 2048 texts'),
		z.array(z.int()).min(1),
		z.array(z.array(z.int()).min(1)).min(1),
	]),
	encoding_format: z.enum(['float', 'base64']).optional(),
	dimensions: integerIn({ from: 1, to: 16_384 }).optional(),
	user: z.string().optional(),
});
export type EmbeddingsRequest = z.infer<typeof embeddingsRequestSchema>;

/** Answer of `POST /v1/embeddings`. A vector is a list of numbers or, as base64, its numbers as little-endian 32-bit floats. */
export interface EmbeddingsResponse {
	object: 'list';
	data: { object: 'embedding'; index: number; embedding: number[] | string }[];
	model: string;
	usage: { prompt_tokens: number; total_tokens: number };
}
