import * as z from 'zod';
import { integerIn } from '../ranges.ts';
import { contentSchema } from './content.ts';

const dimensions = integerIn({ from: 1, to: 16_384 }).optional();

/** Body of `:embedContent`. `model` may repeat the one in the path. As in E1, `output_dimensionality` and `outputDimensionality` are the same field. */
export const embedContentRequestSchema = z.looseObject({
	model: z.string().optional(),
	content: contentSchema,
	outputDimensionality: dimensions,
	output_dimensionality: dimensions,
});

/** Body of `:batchEmbedContents`, which Google's SDK sends for a single content too. */
export const batchEmbedContentsRequestSchema = z.looseObject({
	requests: z.array(embedContentRequestSchema).min(1).max(2048, 'expected at most 2048 requests'),
});

/** A text as a vector. */
export interface ContentEmbedding {
	values: number[];
}

/** Answer of `:embedContent`. */
export interface EmbedContentResponse {
	embedding: ContentEmbedding;
	usageMetadata?: { promptTokenCount?: number; [field: string]: unknown };
}

/** Answer of `:batchEmbedContents`, in the order of the requests. */
export interface BatchEmbedContentsResponse {
	embeddings: ContentEmbedding[];
	usageMetadata?: { promptTokenCount?: number; [field: string]: unknown };
}
