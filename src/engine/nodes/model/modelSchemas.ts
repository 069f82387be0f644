import * as z from 'zod';
import { selectorSchema, textSchema } from '../schemas.ts';

/** Schema of `model` of a node that uses a model. */
export const modelSchema = z.looseObject({
	provider: textSchema,
	name: textSchema,
	mode: z
		.string()
		.nullish()
		.transform(mode => mode ?? 'chat'),
	completion_params: z
		.looseObject({})
		.nullish()
		.transform((parameters): Readonly<Record<string, unknown>> => parameters ?? {}),
});

/** Schema of `vision`: sends files of a variable to the model as images. */
export const visionSchema = z
	.looseObject({
		enabled: z.boolean().nullish(),
		configs: z.looseObject({ variable_selector: selectorSchema.nullish(), detail: z.string().nullish() }).nullish(),
	})
	.nullish();

/** Schema of `memory`: sends earlier turns of the chat to the model. */
export const memorySchema = z
	.looseObject({
		window: z.looseObject({ enabled: z.boolean().nullish(), size: z.coerce.number().nullish() }).nullish(),
		query_prompt_template: textSchema,
	})
	.nullish();
export type Memory = z.output<typeof memorySchema>;
