import * as z from 'zod';
import type { MetadataFilter } from '../../knowledge/metadataFilter.ts';
import { resolveText, splitTemplate } from '../../variables/references.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { modelSchema } from '../model/modelSchemas.ts';
import { createListSchema, selectorSchema } from '../schemas.ts';

const conditionsSchema = z.looseObject({
	logical_operator: z.enum(['and', 'or']).nullish(),
	conditions: createListSchema(z.looseObject({ name: z.string(), comparison_operator: z.string(), value: z.unknown().optional() })),
});

/** Schema of `data` of a knowledge-retrieval node. */
export const retrievalSchema = z.looseObject({
	query_variable_selector: selectorSchema.nullish(),
	dataset_ids: createListSchema(z.string()),
	retrieval_mode: z.enum(['single', 'multiple']).nullish(),
	multiple_retrieval_config: z
		.looseObject({
			top_k: z.number().nullish(),
			score_threshold: z.number().nullish(),
			reranking_enable: z.boolean().nullish(),
			reranking_mode: z.string().nullish(),
			weights: z
				.looseObject({
					vector_setting: z.looseObject({ vector_weight: z.number() }),
					keyword_setting: z.looseObject({ keyword_weight: z.number() }),
				})
				.nullish(),
		})
		.nullish(),
	metadata_filtering_mode: z.enum(['disabled', 'automatic', 'manual']).nullish(),
	metadata_model_config: modelSchema.nullish(),
	metadata_filtering_conditions: conditionsSchema.nullish(),
	vision: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
});
export type RetrievalSettings = z.output<typeof retrievalSchema>;

/** Returns the conditions set in the file, with references resolved; a value that is a single reference keeps its type. */
export function createManualFilter(settings: RetrievalSettings, variables: VariablePool): MetadataFilter | undefined {
	const { logical_operator: join, conditions = [] } = settings.metadata_filtering_conditions ?? {};
	return conditions.length === 0
		? undefined
		: {
				join: join ?? 'and',
				conditions: conditions.map(({ name, comparison_operator: operator, value }) => ({
					name,
					operator,
					value: resolveExpected(value, variables),
				})),
			};
}

function resolveExpected(value: unknown, variables: VariablePool): unknown {
	if (typeof value !== 'string') {
		return value ?? null;
	}
	const [first, ...others] = splitTemplate(value);
	const known = others.length === 0 && first && 'selector' in first ? variables.get(first.selector) : undefined;
	return typeof known === 'number'
		? known
		: resolveText(value, variables)
				.replace(/[\r\n\t]+/g, ' ')
				.trim();
}
