import * as z from 'zod';
import { isObjectValue } from '../../variables/objectValue.ts';
import { listOf, textSchema } from '../schemas.ts';
import { agentToolSchema } from './agentSchema.ts';

/** A tool in a package; its keys have changed between versions of the hosted service. */
const packageToolSchema = z
	.looseObject({ ...agentToolSchema.shape, name: textSchema, provider: textSchema, plugin_id: textSchema })
	.transform(tool => ({
		...tool,
		tool_name: tool.tool_name || tool.name,
		provider_name: tool.provider_name || tool.provider || tool.plugin_id,
	}));

/** An agent as a file carries it. */
export const packageSchema = z.looseObject({
	metadata: z.looseObject({ name: textSchema }).nullish(),
	soul: z.looseObject({
		prompt: z.looseObject({ system_prompt: textSchema }).nullish(),
		model: z
			.looseObject({ model_provider: textSchema, model: textSchema, model_settings: z.record(z.string(), z.unknown()).nullish() })
			.nullish(),
		tools: z.looseObject({ dify_tools: listOf(packageToolSchema) }).nullish(),
	}),
});

/** An agent that a file carries: what of it can be run here (DSL additions, "File"). */
export type AgentPackage = z.output<typeof packageSchema>;

/** Reads a package; `undefined` where it is none. */
export function agentPackage(value: unknown): AgentPackage | undefined {
	return packageSchema.safeParse(value).data;
}

/** Parts of a package that are not there here: knowledge, sandboxes and the like. */
export function leftOut(value: unknown): readonly string[] {
	const soul = isObjectValue(value) && isObjectValue(value['soul']) ? value['soul'] : {};
	const tools = isObjectValue(soul['tools']) ? soul['tools'] : {};
	const parts = ['knowledge', 'human', 'env', 'sandbox', 'memory', 'app_features', 'app_variables'].filter(part => holds(soul[part]));
	return [...parts, ...(holds(tools['cli_tools']) ? ['tools.cli_tools'] : [])];
}

/** Whether there is something in a value: a switch that is on, a text, an entry. */
function holds(value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.length > 0;
	}
	return isObjectValue(value)
		? Object.values(value).some(holds)
		: typeof value === 'string'
			? value !== ''
			: value === true || typeof value === 'number';
}
