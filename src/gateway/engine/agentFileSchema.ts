import * as z from 'zod';

/** Text that may be missing or null in files of older versions. */
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
export type RawNode = z.output<typeof nodeSchema>;

const edgeSchema = z.looseObject({
	source: z.string(),
	target: z.string(),
	sourceHandle: z
		.string()
		.nullish()
		.transform(handle => handle ?? 'source'),
});
export type RawEdge = z.output<typeof edgeSchema>;

const graphSchema = z.looseObject({ nodes: z.array(nodeSchema), edges: z.array(edgeSchema) });
export type RawGraph = z.output<typeof graphSchema>;

/** Modes of an app that has a graph to run. */
export const graphModes = ['workflow', 'advanced-chat'] as const;

/** Agent file as a whole (workflow DSL, "File"); what a node holds is checked by its type. */
export const fileSchema = z.looseObject({
	version: z
		.string({ error: 'must be text, for example "0.6.0"' })
		.nullish()
		.transform(version => version ?? '0.1.0'),
	kind: z
		.string()
		.nullish()
		.transform(kind => kind ?? 'app'),
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
});
