import * as z from 'zod';
import { isObjectValue } from '../../variables/objectValue.ts';
import { createListSchema, textSchema } from '../schemas.ts';
import { agentToolSchema } from './agentSchema.ts';

/** A tool in a package; its keys differ between versions of the hosted service. */
const packageToolSchema = z
	.looseObject({ ...agentToolSchema.shape, name: textSchema, provider: textSchema, plugin_id: textSchema })
	.transform(tool => ({
		...tool,
		tool_name: tool.tool_name || tool.name,
		provider_name: tool.provider_name || tool.provider || tool.plugin_id,
	}));

/** An agent included in a file. */
export const packageSchema = z.looseObject({
	metadata: z.looseObject({ name: textSchema }).nullish(),
	soul: z.looseObject({
		prompt: z.looseObject({ system_prompt: textSchema }).nullish(),
		model: z
			.looseObject({ model_provider: textSchema, model: textSchema, model_settings: z.record(z.string(), z.unknown()).nullish() })
			.nullish(),
		tools: z.looseObject({ dify_tools: createListSchema(packageToolSchema) }).nullish(),
	}),
});

/** The supported parts of an agent included in a file (DSL additions, "File"). */
export type AgentPackage = z.output<typeof packageSchema>;

/** Parses a package; `undefined` if it isn't valid. */
export function parseAgentPackage(value: unknown): AgentPackage | undefined {
	return packageSchema.safeParse(value).data;
}

/** Returns the parts of a package that aren't supported here: knowledge, sandboxes and the like. */
export function listUnsupportedParts(value: unknown): readonly string[] {
	const soul = isObjectValue(value) && isObjectValue(value['soul']) ? value['soul'] : {};
	const tools = isObjectValue(soul['tools']) ? soul['tools'] : {};
	const parts = ['knowledge', 'human', 'env', 'sandbox', 'memory', 'app_features', 'app_variables'].filter(part => hasContent(soul[part]));
	return [...parts, ...(hasContent(tools['cli_tools']) ? ['tools.cli_tools'] : [])];
}

/** True for an enabled switch, a non-empty string, and a collection with entries. */
function hasContent(value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.length > 0;
	}
	return isObjectValue(value)
		? Object.values(value).some(hasContent)
		: typeof value === 'string'
			? value !== ''
			: value === true || typeof value === 'number';
}
