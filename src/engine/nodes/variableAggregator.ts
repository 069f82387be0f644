import * as z from 'zod';
import type { Selector } from '../agentFile/agentTypes.ts';
import { toPlainValue } from '../variables/float.ts';
import type { VariablePool } from '../variables/variables.ts';
import { defineNodeType } from './nodeType.ts';
import { createListSchema, selectorSchema } from './schemas.ts';

const schema = z.looseObject({
	variables: createListSchema(selectorSchema),
	advanced_settings: z
		.looseObject({
			group_enabled: z.boolean().nullish(),
			groups: createListSchema(z.looseObject({ group_name: z.string(), variables: createListSchema(selectorSchema) })),
		})
		.nullish(),
});

/** Variable aggregator node: outputs the first of its variables that exists, so that branches can merge, or one for each of its groups. */
export const variableAggregator = defineNodeType({
	type: 'variable-aggregator',
	schema,
	run({ settings, variables, record }) {
		const groups = settings.advanced_settings?.group_enabled ? settings.advanced_settings.groups : undefined;
		if (!groups) {
			const found = findFirstValue(settings.variables, variables);
			record.inputs = found ? { [found.name]: toPlainValue(found.value) } : {};
			return { outputs: found ? { output: found.value } : {} };
		}
		const inputs: Record<string, unknown> = {};
		const outputs: Record<string, unknown> = {};
		for (const group of groups) {
			const found = findFirstValue(group.variables, variables);
			if (found) {
				const value = toPlainValue(found.value);
				inputs[`${group.group_name}.${found.name}`] = value;
				outputs[group.group_name] = { output: value };
			}
		}
		record.inputs = inputs;
		return { outputs };
	},
});

function findFirstValue(selectors: readonly Selector[], variables: VariablePool): { name: string; value: unknown } | undefined {
	for (const selector of selectors) {
		const value = variables.getExactValue(selector);
		if (value !== undefined) {
			return { name: selector.slice(1).join('.'), value };
		}
	}
	return undefined;
}
