import * as z from 'zod';

const text = z
	.string()
	.nullish()
	.transform(value => value ?? '');

function createListSchema<Item extends z.ZodType>(item: Item) {
	return z
		.array(item)
		.nullish()
		.transform(list => list ?? []);
}

/** A flag that is off by default. */
const flag = z
	.boolean()
	.nullish()
	.transform(value => value ?? false);

const fieldSchema = z.looseObject({
	variable: z.string().min(1),
	label: text,
	required: flag,
	max_length: z.number().nullish(),
	options: createListSchema(z.coerce.string()),
	default: z.unknown().optional(),
	hint: text,
	allowed_file_types: createListSchema(z.string()),
	allowed_file_extensions: createListSchema(z.string()),
	allowed_file_upload_methods: createListSchema(z.string()),
});

/** Kinds of form fields. */
export const fieldKinds = [
	'text-input',
	'paragraph',
	'number',
	'select',
	'checkbox',
	'file',
	'file-list',
	'json_object',
	'external_data_tool',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

const field = fieldSchema.optional();
const formEntrySchema = z.looseObject({
	'text-input': field,
	paragraph: field,
	number: field,
	select: field,
	checkbox: field,
	file: field,
	'file-list': field,
	json_object: field,
	external_data_tool: field,
} satisfies Record<FieldKind, typeof field>);
/** An entry of `user_input_form`, with the field under its kind. */
export type FormEntry = z.output<typeof formEntrySchema>;

const presetSchema = z
	.looseObject({ enabled: flag, preset_response: text })
	.nullish()
	.transform(preset => preset ?? { enabled: false, preset_response: '' });

/** Words that are blocked in messages and replies. Apps with a graph have them in their features. */
export const wordRulesSchema = z
	.looseObject({
		enabled: flag,
		type: text,
		config: z.looseObject({ keywords: text, inputs_config: presetSchema, outputs_config: presetSchema }).nullish(),
	})
	.nullish();
export type WordRules = z.output<typeof wordRulesSchema>;

const datasetSchema = z.looseObject({ dataset: z.looseObject({ enabled: z.boolean().nullish(), id: z.coerce.string() }).nullish() });

/** `model_config` of an app without a graph (DSL additions, "model_config apps"). */
export const modelConfigSchema = z.looseObject({
	model: z.looseObject({
		provider: text,
		name: z.string().min(1),
		mode: z
			.enum(['chat', 'completion'])
			.nullish()
			.transform(mode => mode ?? 'chat'),
		completion_params: z
			.looseObject({})
			.nullish()
			.transform((parameters): Readonly<Record<string, unknown>> => parameters ?? {}),
	}),
	prompt_type: z
		.enum(['simple', 'advanced'])
		.nullish()
		.transform(type => type ?? 'simple'),
	pre_prompt: text,
	chat_prompt_config: z
		.looseObject({ prompt: createListSchema(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), text })) })
		.nullish(),
	completion_prompt_config: z
		.looseObject({
			prompt: z.looseObject({ text }).nullish(),
			conversation_histories_role: z.looseObject({ user_prefix: text, assistant_prefix: text }).nullish(),
		})
		.nullish(),
	user_input_form: createListSchema(formEntrySchema),
	external_data_tools: createListSchema(z.looseObject({ enabled: z.boolean().nullish(), variable: text, type: text, label: text })),
	opening_statement: text,
	suggested_questions: createListSchema(z.string()),
	sensitive_word_avoidance: wordRulesSchema,
	file_upload: z.looseObject({ enabled: z.boolean().nullish() }).nullish(),
	retriever_resource: z.looseObject({ enabled: flag }).nullish(),
	dataset_configs: z
		.looseObject({
			retrieval_model: z.string().nullish(),
			datasets: z.looseObject({ datasets: createListSchema(datasetSchema) }).nullish(),
			top_k: z.number().nullish(),
			score_threshold: z.number().nullish(),
			score_threshold_enabled: z.boolean().nullish(),
		})
		.nullish(),
	dataset_query_variable: text,
	agent_mode: z
		.looseObject({
			enabled: flag,
			strategy: z.string().nullish(),
			max_iteration: z.number().nullish(),
			tools: createListSchema(z.looseObject({ enabled: z.boolean().nullish() })),
			prompt: z.looseObject({ first_prompt: text, next_iteration: text }).nullish(),
		})
		.nullish(),
});
export type ModelConfig = z.output<typeof modelConfigSchema>;
