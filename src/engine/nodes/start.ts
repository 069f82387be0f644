import * as z from 'zod';
import type { FileObject } from '#contract/workflows.ts';
import { toStartVariable } from '../agentFile/startVariable.ts';
import type { EngineServices, RunOptions } from '../run/engineTypes.ts';
import { createRunFile, createRunFiles } from '../run/runFiles.ts';
import { addSystemPrefix } from '../variables/variables.ts';
import { defineNodeType } from './nodeType.ts';
import { createListSchema, textSchema } from './schemas.ts';

const variableSchema = z.looseObject({
	variable: z.string().min(1),
	label: textSchema,
	type: z.string(),
	required: z
		.boolean()
		.nullish()
		.transform(required => required ?? false),
	max_length: z.number().nullish(),
	options: createListSchema(z.coerce.string()),
	default: z.unknown().optional(),
	hint: textSchema,
	allowed_file_types: createListSchema(z.string()),
	allowed_file_extensions: createListSchema(z.string()),
	allowed_file_upload_methods: createListSchema(z.string()),
});

const schema = z.looseObject({
	variables: createListSchema(variableSchema).transform(list => list.map(field => toStartVariable(field, field.type))),
});
export type StartSettings = z.output<typeof schema>;

/** Start node: outputs the inputs of the run. Triggers replace it in some files and are started in the same way. */
export const start = defineNodeType({
	type: 'start',
	schema,
	run({ settings, run, variables, services, record }) {
		const outputs = getStartOutputs(settings, run, services);
		record.inputs = { ...outputs, ...addSystemPrefix(variables.getAllValues('sys')) };
		return { outputs };
	},
});

/** Returns the outputs of the node that a run starts from: the run's inputs, with files as nodes see them. */
export function getStartOutputs({ variables }: StartSettings, { inputs }: RunOptions, services: EngineServices): Record<string, unknown> {
	const outputs: Record<string, unknown> = { ...inputs };
	for (const { variable, type } of variables) {
		const value = outputs[variable];
		if (type === 'file' && value) {
			outputs[variable] = createRunFile(value as FileObject, services);
		} else if (type === 'file-list' && Array.isArray(value)) {
			outputs[variable] = createRunFiles(value as FileObject[], services);
		}
	}
	return outputs;
}
