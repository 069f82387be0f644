import * as z from 'zod';
import { createIntegerSchema } from '../ranges.ts';
import { contentSchema } from './content.ts';

const dimensions = createIntegerSchema({ from: 1, to: 16_384 }).optional();

/**
 * Body of `:embedContent`. `model` may repeat the model in the path. As in E1, `output_dimensionality` and `outputDimensionality` are the
 * same field.
 */
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

/** The vector of a string. */
const createContentEmbeddingSchema = () => z.object({ values: z.array(z.number()) });
const createEmbeddingUsageSchema = () => z.looseObject({ promptTokenCount: z.int().exactOptional() }).exactOptional();

/** Response of `:embedContent`. */
export const createEmbedContentResponseSchema = () =>
	z.object({ embedding: createContentEmbeddingSchema(), usageMetadata: createEmbeddingUsageSchema() });
export type EmbedContentResponse = z.infer<ReturnType<typeof createEmbedContentResponseSchema>>;

/** Response of `:batchEmbedContents`, in the order of the requests. */
export const createBatchEmbedContentsResponseSchema = () =>
	z.object({ embeddings: z.array(createContentEmbeddingSchema()), usageMetadata: createEmbeddingUsageSchema() });
export type BatchEmbedContentsResponse = z.infer<ReturnType<typeof createBatchEmbedContentsResponseSchema>>;
