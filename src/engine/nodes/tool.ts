import * as z from 'zod';
import { findTool } from '../tools/findTool.ts';
import { createTextResolver, type TextResolver } from '../variables/references.ts';
import type { VariablePool } from '../variables/variables.ts';
import { NodeError } from './nodeError.ts';
import { defineNodeType } from './nodeType.ts';
import { textSchema } from './schemas.ts';

const parameterSchema = z.union([z.looseObject({ type: z.string(), value: z.unknown().optional() }), z.unknown()]);

const schema = z.looseObject({
	provider_id: textSchema,
	provider_type: textSchema,
	provider_name: textSchema,
	tool_name: textSchema,
	tool_label: textSchema,
	tool_configurations: z.record(z.string(), z.unknown()).nullish(),
	tool_parameters: z.record(z.string(), parameterSchema).nullish(),
});

/** Tool node: calls a built-in tool or one that the user has configured. */
export const tool = defineNodeType({
	type: 'tool',
	schema,
	async run({ settings, variables, services, run, signal, record, addCitations }) {
		const given = { ...settings.tool_configurations, ...settings.tool_parameters };
		const resolve = createTextResolver(variables);
		const parameters = Object.fromEntries(
			Object.entries(given).map(([name, value]) => [name, resolveParameter(value, variables, resolve)]),
		);
		record.inputs = parameters;
		const { provider_type: type, provider_id, provider_name, tool_name: name, tool_label: label } = settings;
		record.metadata = { tool_info: { provider_type: type, provider_id, tool_name: name } };
		const use = await findTool({ type, providers: [provider_id, provider_name], name, label }, services);
		try {
			const { text, json } = await use.use(parameters, { services, run, signal, addCitations });
			return { outputs: { text, files: [], json: json === undefined ? [] : [json].flat() } };
		} catch (error) {
			signal.throwIfAborted();
			throw new NodeError((error as Error).message, 'ToolInvokeError', { cause: error });
		}
	},
});

/** Returns the value of a parameter: a constant, a variable, or a string with references. Older files omit its type. */
function resolveParameter(parameter: unknown, variables: VariablePool, resolve: TextResolver): unknown {
	if (typeof parameter === 'string') {
		return resolve(parameter);
	}
	if (typeof parameter !== 'object' || parameter === null || !('type' in parameter)) {
		return parameter;
	}
	const { type, value } = parameter as { type: unknown; value?: unknown };
	if (type === 'variable' && Array.isArray(value)) {
		return variables.get(value.map(String)) ?? null;
	}
	return typeof value === 'string' ? resolve(value) : (value ?? null);
}
