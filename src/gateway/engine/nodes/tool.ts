import * as z from 'zod';
import { resolveText } from '../references.ts';
import { tools } from '../tools/tools.ts';
import type { VariablePool } from '../variables.ts';
import { NodeError, nodeType } from './nodeType.ts';
import { textSchema } from './schemas.ts';

const parameterSchema = z.union([z.looseObject({ type: z.string(), value: z.unknown().optional() }), z.unknown()]);

const schema = z.looseObject({
	provider_id: textSchema,
	provider_name: textSchema,
	tool_name: textSchema,
	tool_label: textSchema,
	tool_configurations: z.record(z.string(), z.unknown()).nullish(),
	tool_parameters: z.record(z.string(), parameterSchema).nullish(),
});

/** Uses one of the few tools that need no service; all others are told apart from a fault of the agent. */
export const tool = nodeType({
	type: 'tool',
	schema,
	async run({ settings, variables, services, signal, record }) {
		const given = { ...settings.tool_configurations, ...settings.tool_parameters };
		const parameters = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, parameterValue(value, variables)]));
		record.inputs = parameters;
		const use = tools.get(settings.tool_name);
		if (!use) {
			const label = settings.tool_label || settings.tool_name;
			throw new NodeError(
				`The tool "${label}" of ${settings.provider_name || settings.provider_id || 'a plugin'} is not available here; give the agent a Dify route to run it there`,
				'ToolInvokeError',
			);
		}
		try {
			const { text, json } = await use(parameters, services, signal);
			return { outputs: { text, files: [], json: json ? [json] : [] } };
		} catch (error) {
			signal.throwIfAborted();
			throw new NodeError((error as Error).message, 'ToolInvokeError', { cause: error });
		}
	},
});

/** Parameters are constants, a variable, or text with references; older files have them without their type. */
function parameterValue(parameter: unknown, variables: VariablePool): unknown {
	if (typeof parameter === 'string') {
		return resolveText(parameter, variables);
	}
	if (typeof parameter !== 'object' || parameter === null || !('type' in parameter)) {
		return parameter;
	}
	const { type, value } = parameter as { type: unknown; value?: unknown };
	if (type === 'variable' && Array.isArray(value)) {
		return variables.get(value.map(String)) ?? null;
	}
	return typeof value === 'string' ? resolveText(value, variables) : (value ?? null);
}
