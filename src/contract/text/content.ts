import * as z from 'zod';
import { createIntegerSchema, createNumberSchema } from '../ranges.ts';

/**
 * Part of a turn (E): text, inline data or others. Requests are proto3 JSON, where `inline_data` and `inlineData` are the same field (wire
 * facts 4.1), so both are accepted.
 */
const partSchema = z.looseObject({
	text: z.string().optional(),
	inline_data: z.looseObject({ mime_type: z.string(), data: z.string() }).optional(),
	inlineData: z.looseObject({ mimeType: z.string(), data: z.string() }).optional(),
});
export type Part = z.infer<typeof partSchema>;

const createOneOrManySchema = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema)]);

/** A turn of a content request (E). A single turn needs no `role`, and `parts` may be a single object (contract E1). */
export const contentSchema = z.looseObject({ role: z.string().optional(), parts: createOneOrManySchema(partSchema).optional() });
export type Content = z.infer<typeof contentSchema>;

/** Threshold for a harm category (contract E1; names in wire facts 4.1). */
const safetySettingSchema = z.looseObject({ category: z.string(), threshold: z.string() });

/** Sampling settings of a content request (E): at most 5 stop sequences, temperature 0 to 2 (contract, "Limits"). */
export const generationConfigSchema = z.looseObject({
	stopSequences: z.array(z.string()).max(5, 'expected at most 5 sequences').optional(),
	temperature: createNumberSchema({ from: 0, to: 2 }).optional(),
	maxOutputTokens: createIntegerSchema({ from: 1 }).optional(),
	topP: createNumberSchema({ from: 0, to: 1 }).optional(),
	topK: createIntegerSchema({ from: 1 }).optional(),
});

/** Body of `:generateContent` (E1) and `:streamGenerateContent` (E2). The model is in the path. */
export const generateContentRequestSchema = z.looseObject({
	contents: createOneOrManySchema(contentSchema),
	system_instruction: contentSchema.optional(),
	systemInstruction: contentSchema.optional(),
	safetySettings: z.array(safetySettingSchema).optional(),
	safety_settings: z.array(safetySettingSchema).optional(),
	generationConfig: generationConfigSchema.optional(),
	generation_config: generationConfigSchema.optional(),
});
export type GenerateContentRequest = z.infer<typeof generateContentRequestSchema>;

/** A candidate of a reply. One that was blocked for safety may lack `content` (wire facts 4.1). */
const createCandidateSchema = () =>
	z.looseObject({
		content: z
			.looseObject({ role: z.string().exactOptional(), parts: z.array(z.looseObject({ text: z.string().optional() })).exactOptional() })
			.exactOptional(),
		finishReason: z.string().exactOptional(),
		index: z.int().exactOptional(),
	});
export type Candidate = z.infer<ReturnType<typeof createCandidateSchema>>;

/**
 * Response of `:generateContent` (E1), and each chunk of a streamed one (E2; wire facts 4.1). For a blocked prompt, it has `promptFeedback`
 * and no candidates.
 */
export const createGenerateContentResponseSchema = () =>
	z.looseObject({
		candidates: z.array(createCandidateSchema()).exactOptional(),
		promptFeedback: z.looseObject({ blockReason: z.string().exactOptional() }).exactOptional(),
		usageMetadata: z
			.looseObject({
				promptTokenCount: z.int().exactOptional(),
				candidatesTokenCount: z.int().exactOptional(),
				totalTokenCount: z.int().exactOptional(),
			})
			.exactOptional(),
		modelVersion: z.string().exactOptional(),
		responseId: z.string().exactOptional(),
	});
export type GenerateContentResponse = z.infer<ReturnType<typeof createGenerateContentResponseSchema>>;
