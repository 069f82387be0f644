import * as z from 'zod';
import type { FileObject } from '#contract/workflows.ts';
import { startVariableOf } from '../agentFile/startVariable.ts';
import type { EngineServices, RunOptions } from '../run/engineTypes.ts';
import { runFile } from '../run/runFiles.ts';
import { prefixedSystem } from '../variables/variables.ts';
import { nodeType } from './nodeType.ts';
import { listOf, textSchema } from './schemas.ts';

const variableSchema = z.looseObject({
	variable: z.string().min(1),
	label: textSchema,
	type: z.string(),
	required: z
		.boolean()
		.nullish()
		.transform(required => required ?? false),
	max_length: z.number().nullish(),
	options: listOf(z.coerce.string()),
	default: z.unknown().optional(),
	hint: textSchema,
	allowed_file_types: listOf(z.string()),
	allowed_file_extensions: listOf(z.string()),
	allowed_file_upload_methods: listOf(z.string()),
});

const schema = z.looseObject({
	variables: listOf(variableSchema).transform(list => list.map(field => startVariableOf(field, field.type))),
});
export type StartSettings = z.output<typeof schema>;

/** Start node: outputs the inputs of the run. Triggers replace it in some files and are started in the same way. */
export const start = nodeType({
	type: 'start',
	schema,
	run({ settings, run, variables, services, record }) {
		const outputs = startOutputs(settings, run, services);
		record.inputs = { ...outputs, ...prefixedSystem(variables.all('sys')) };
		return { outputs };
	},
});

/** Returns the outputs of the node that a run starts from: the run's inputs, with files as nodes see them. */
export function startOutputs({ variables }: StartSettings, { inputs }: RunOptions, services: EngineServices): Record<string, unknown> {
	const outputs: Record<string, unknown> = { ...inputs };
	for (const { variable, type } of variables) {
		const value = outputs[variable];
		if (type === 'file' && value) {
			outputs[variable] = runFile(value as FileObject, services);
		} else if (type === 'file-list' && Array.isArray(value)) {
			outputs[variable] = value.map(file => runFile(file as FileObject, services));
		}
	}
	return outputs;
}
