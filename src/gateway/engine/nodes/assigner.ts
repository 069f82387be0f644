import * as z from 'zod';
import { assigned, typeOf } from '../assignment.ts';
import { pythonRepr } from '../pythonText.ts';
import { maxVariableLength } from '../variableLimit.ts';
import type { VariablePool } from '../variables.ts';
import { NodeError, nodeType } from './nodeType.ts';
import { listOf, selectorSchema } from './schemas.ts';

const itemSchema = z.looseObject({
	variable_selector: selectorSchema,
	input_type: z.enum(['variable', 'constant']),
	operation: z.string(),
	value: z.unknown().optional(),
});

const schema = z
	.looseObject({
		version: z.coerce.string().nullish(),
		items: listOf(itemSchema),
		assigned_variable_selector: selectorSchema.nullish(),
		write_mode: z.string().nullish(),
		input_variable_selector: selectorSchema.nullish(),
	})
	// files of older versions change one variable
	.transform(({ version, items, assigned_variable_selector: target, write_mode, input_variable_selector: input }) =>
		version === '2' || !target
			? items
			: [{ variable_selector: target, input_type: 'variable' as const, operation: write_mode ?? 'over-write', value: input ?? [] }],
	);
type Item = z.output<typeof itemSchema>;

/** Operations that take no input. */
const withoutInput = new Set(['clear', 'remove-first', 'remove-last']);

/** Changes conversation variables, and variables of the loop around; one after the other, each sees what came before. */
export const assigner = nodeType({
	type: 'assigner',
	schema,
	assigns: settings => settings.map(item => item.variable_selector),
	run({ settings, variables, record }) {
		const updated: { name: string; selector: readonly string[]; value_type: string; new_value: unknown }[] = [];
		record.inputs = { items: settings };
		for (const item of settings) {
			const [node, name] = item.variable_selector;
			const current = variables.get(item.variable_selector.slice(0, 2));
			if (node === undefined || name === undefined || current === undefined) {
				throw new NodeError(`variable not found: ${pythonRepr(item.variable_selector)}`, 'VariableNotFoundError');
			}
			const value = assigned(current, item.operation, inputOf(item, variables));
			if (JSON.stringify(value)?.length > maxVariableLength) {
				throw new NodeError(`The value of ${name} is over 200 KB, the most a variable can have`, 'VariableOperatorNodeError');
			}
			variables.assign(node, name, value);
			updated.push({ name, selector: item.variable_selector, value_type: typeOf(value), new_value: value });
		}
		record.processData = { updated_variables: updated };
		return { outputs: {} };
	},
});

function inputOf(item: Item, variables: VariablePool): unknown {
	if (withoutInput.has(item.operation)) {
		return undefined;
	}
	if (item.input_type === 'constant') {
		return item.value;
	}
	const selector = Array.isArray(item.value) ? item.value.map(String) : [];
	const value = variables.get(selector);
	if (value === undefined) {
		throw new NodeError(`input variable ${pythonRepr(selector)} not found`, 'VariableNotFoundError');
	}
	return value;
}
