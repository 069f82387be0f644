import * as z from 'zod';
import type { FileObject } from '../../../protocol/workflows.ts';
import type { StartVariable } from '../agentTypes.ts';
import { runFile } from '../runFiles.ts';
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
	allowed_file_types: listOf(z.string()),
});

/** Begins a run: puts out its inputs. Triggers take its place in some files; here they are started like it. */
export const start = nodeType({
	type: 'start',
	schema: z.looseObject({
		variables: listOf(variableSchema).transform(list =>
			list.map(
				({ variable, label, type, required, max_length, options, default: value, allowed_file_types }): StartVariable => ({
					variable,
					label: label || variable,
					type,
					required,
					...(max_length && { max_length }),
					options,
					...(value !== undefined && value !== null && value !== '' && { default: value }),
					allowedFileTypes: allowed_file_types,
				}),
			),
		),
	}),
	run({ settings, run, variables, services, record }) {
		const outputs: Record<string, unknown> = { ...run.inputs };
		for (const { variable, type } of settings.variables) {
			const value = outputs[variable];
			if (type === 'file' && value) {
				outputs[variable] = runFile(value as FileObject, services);
			} else if (type === 'file-list' && Array.isArray(value)) {
				outputs[variable] = value.map(file => runFile(file as FileObject, services));
			}
		}
		const system = Object.entries(variables.all('sys')).map(([name, value]) => [`sys.${name}`, value]);
		record.inputs = { ...outputs, ...Object.fromEntries(system) };
		return { outputs };
	},
});
