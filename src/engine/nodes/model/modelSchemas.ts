import * as z from 'zod';
import { selectorSchema, textSchema } from '../schemas.ts';

/** `model` of a node that uses one. */
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

/** `vision`: files of a variable are sent to the model as images. */
export const visionSchema = z
	.looseObject({
		enabled: z.boolean().nullish(),
		configs: z.looseObject({ variable_selector: selectorSchema.nullish(), detail: z.string().nullish() }).nullish(),
	})
	.nullish();

/** `memory`: earlier turns of the chat are sent to the model. */
export const memorySchema = z
	.looseObject({
		window: z.looseObject({ enabled: z.boolean().nullish(), size: z.coerce.number().nullish() }).nullish(),
		query_prompt_template: textSchema,
	})
	.nullish();
export type Memory = z.output<typeof memorySchema>;
