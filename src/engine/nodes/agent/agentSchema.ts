import * as z from 'zod';
import { memorySchema } from '../model/modelSchemas.ts';
import { createListSchema, textSchema } from '../schemas.ts';

const parameterSchema = z.looseObject({ type: z.string().nullish(), value: z.unknown().optional() });

/** An output that an agent's job declares (DSL additions, "agent", v2). */
const outputSchema = z.looseObject({
	name: z.string().min(1),
	type: textSchema,
	description: textSchema,
	required: z.boolean().nullish(),
	array_item: z.looseObject({ type: textSchema }).nullish(),
	failure_strategy: z
		.looseObject({
			retry: z
				.union([z.number(), z.looseObject({ enabled: z.boolean().nullish(), max_retries: z.number().nullish() })])
				.nullish()
				.catch(null),
			on_failure: z.enum(['stop', 'default_value', 'fail_branch']).nullish().catch('stop'),
			default_value: z.unknown().optional(),
		})
		.nullish(),
});
export type DeclaredOutput = z.output<typeof outputSchema>;

/** `data` of an agent node, of either version. */
export const agentSchema = z.looseObject({
	agent_node_kind: textSchema,
	agent_strategy_provider_name: textSchema,
	agent_strategy_name: textSchema,
	agent_parameters: z
		.record(z.string(), parameterSchema)
		.nullish()
		.transform(parameters => parameters ?? {}),
	memory: memorySchema,
	agent_binding: z.looseObject({ package_ref: textSchema }).nullish(),
	agent_job: z
		.looseObject({
			workflow_prompt: textSchema,
			previous_node_output_refs: createListSchema(z.unknown()),
			declared_outputs: createListSchema(outputSchema),
		})
		.nullish(),
});
export type AgentSettings = z.output<typeof agentSchema>;

/** A tool in the parameters of an agent node. */
export const agentToolSchema = z.looseObject({
	enabled: z.boolean().nullish(),
	type: textSchema,
	provider_type: textSchema,
	provider_name: textSchema,
	provider_id: textSchema,
	tool_name: textSchema,
	tool_label: textSchema,
	tool_description: textSchema,
	extra: z.looseObject({ description: textSchema }).nullish(),
	settings: z.record(z.string(), z.unknown()).nullish(),
	parameters: z.record(z.string(), z.unknown()).nullish(),
});
export type AgentToolSettings = z.output<typeof agentToolSchema>;
