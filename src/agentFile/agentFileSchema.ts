import * as z from 'zod';
import { modelConfigSchema } from './modelConfigSchema.ts';

/** A string that may be missing or null in files of older versions. */
const text = z
	.string()
	.nullish()
	.transform(value => value ?? '');

const variableSchema = z.looseObject({ name: z.string().min(1), value_type: text, value: z.unknown().optional() });
export type RawVariable = z.output<typeof variableSchema>;

const variables = z
	.array(variableSchema)
	.nullish()
	.transform(list => list ?? []);

const nodeSchema = z.looseObject({
	id: z.string().min(1),
	type: text,
	parentId: z.string().nullish(),
	data: z.looseObject({ type: z.string(), title: text }).optional(),
});

const edgeSchema = z.looseObject({
	source: z.string(),
	target: z.string(),
	sourceHandle: z
		.string()
		.nullish()
		.transform(handle => handle ?? 'source'),
});

const graphSchema = z.looseObject({ nodes: z.array(nodeSchema), edges: z.array(edgeSchema) });

/** Schema of a whole agent file (workflow DSL, "File"). The content of nodes is checked separately, by node type. */
export const fileSchema = z.looseObject({
	version: z
		.string({ error: 'must be text, for example "0.6.0"' })
		.nullish()
		.transform(version => version ?? '0.1.0'),
	kind: z
		.string()
		.nullish()
		.transform(kind => kind ?? 'app'),
	/** Agents included in the file, by the reference that nodes or the app use for them. */
	agent_packages: z
		.record(z.string(), z.unknown())
		.nullish()
		.transform(packages => packages ?? {}),
	app: z.looseObject({ name: text, mode: z.string(), description: text }),
	workflow: z
		.looseObject({
			environment_variables: variables,
			conversation_variables: variables,
			features: z
				.record(z.string(), z.unknown())
				.nullish()
				.transform(features => features ?? {}),
			graph: graphSchema,
		})
		.optional(),
	/** Replaces `workflow` in apps without a graph. */
	model_config: modelConfigSchema.nullish(),
	/** Replaces `workflow` in apps of mode `agent`, and refers to one of `agent_packages`. */
	agent: z.looseObject({ package_ref: text }).nullish(),
});
