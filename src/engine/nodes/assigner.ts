import * as z from 'zod';
import { maxVariableLength } from '../agentFile/variableLimit.ts';
import { checkOperation, computeAssigned, createAssignerError, getZeroValue, withoutInput } from '../variables/assignment.ts';
import { toPlainValue } from '../variables/float.ts';
import { toPythonRepr } from '../variables/pythonText.ts';
import { VariablePool } from '../variables/variables.ts';
import { NodeWeight } from '../variables/weight.ts';
import { NodeError } from './nodeError.ts';
import { defineNodeType, type NodeContext } from './nodeType.ts';
import { createListSchema, selectorSchema } from './schemas.ts';

const itemSchema = z.looseObject({
	variable_selector: selectorSchema,
	input_type: z.enum(['variable', 'constant']),
	operation: z.string(),
	value: z.unknown().optional(),
});
type Item = z.output<typeof itemSchema>;

const schema = z
	.looseObject({
		version: z.coerce.string().nullish(),
		items: createListSchema(itemSchema),
		assigned_variable_selector: selectorSchema.nullish(),
		write_mode: z.string().nullish(),
		input_variable_selector: selectorSchema.nullish(),
	})
	// older files change one variable, according to different rules
	.transform(({ version, items, assigned_variable_selector: target, write_mode, input_variable_selector: source }) =>
		version === '2' || !target ? { items } : { target, mode: write_mode ?? 'over-write', source: source ?? [] },
	);
type Settings = z.output<typeof schema>;

/** Assigner node: changes variables in order, each change seeing the ones before. If one can't be changed, none is (cases q29, q30). */
export const assigner = defineNodeType({
	type: 'assigner',
	schema,
	assigns: settings => ('items' in settings ? settings.items.map(item => item.variable_selector) : [settings.target]),
	run({ settings, variables, record }: NodeContext<Settings>) {
		record.inputs = { ...settings };
		const working = new VariablePool(variables);
		const changes = 'items' in settings ? computeChanges(settings.items, working) : [readOlderChange(settings, working)];
		for (const { selector, new_value: value } of changes) {
			if (JSON.stringify(value)?.length > maxVariableLength) {
				throw new NodeError(`The value of '${selector[1]}' is larger than 200 KB, the limit for a variable`, 'VariableOperatorNodeError');
			}
		}
		for (const { selector, new_value: value } of changes) {
			variables.assignVariable(...selector, value);
		}
		record.processData = { updated_variables: changes.map(each => ({ ...each, new_value: toPlainValue(each.new_value) })) };
		return { outputs: {} };
	},
});

/** Returns the changes of all items. Fails as soon as they are too large, because each item can double a list. */
function computeChanges(items: readonly Item[], working: VariablePool): readonly Change[] {
	const weight = new NodeWeight();
	return items.flatMap(item => {
		const changes = computeItemChanges(item, working);
		weight.add(changes);
		return changes;
	});
}

interface Change {
	readonly name: string;
	readonly selector: readonly [string, string];
	readonly value_type: string;
	readonly new_value: unknown;
}

/**
 * Returns the changes to make; none if the source is null. Checks in the hosted service's order: target, operation, kind of input, source,
 * value.
 */
function computeItemChanges(item: Item, working: VariablePool): readonly Change[] {
	const { variable_selector: selector, operation, input_type: inputType, value: given } = item;
	const target = findTargetVariable(selector, working, `Variable ${toPythonRepr(selector)} not found`);
	checkOperation({ operation, type: target.type }, inputType);
	let input = given;
	if (inputType === 'variable' && !withoutInput.has(operation) && given !== null && given !== undefined) {
		const source = Array.isArray(given) ? given.map(String) : [String(given)];
		input = working.getExactValue(source);
		if (input === undefined) {
			throw createAssignerError(`Variable ${toPythonRepr(source)} not found`);
		}
		if (input === null) {
			return [];
		}
	}
	return [applyChange(target, computeAssigned({ operation, ...target }, input ?? null), working)];
}

/** Reads a change in the older format, which accepts values of any type. */
function readOlderChange({ target, mode, source }: Exclude<Settings, { items: unknown }>, working: VariablePool): Change {
	const found = findTargetVariable(target, working, 'assigned variable not found');
	if (mode === 'clear') {
		return applyChange(found, getZeroValue(found.type), working);
	}
	const input = working.getExactValue(source);
	if (input === undefined) {
		throw createAssignerError('input value not found');
	}
	if (mode !== 'append') {
		return applyChange(found, input, working);
	}
	if (!Array.isArray(found.current)) {
		throw createAssignerError('append mode requires an array variable');
	}
	return applyChange(found, [...found.current, toPlainValue(input)], working);
}

interface Target {
	readonly selector: readonly [string, string];
	readonly type: string;
	readonly current: unknown;
}

/** Refuses targets inside a variable: only a whole variable can be changed. */
function findTargetVariable(selector: readonly string[], working: VariablePool, missing: string): Target {
	const [node, name, ...members] = selector;
	const current = working.getExactValue(selector);
	if (node === undefined || name === undefined || members.length > 0 || current === undefined) {
		throw createAssignerError(missing);
	}
	return { selector: [node, name], type: working.getVariableType(node, name), current };
}

function applyChange({ selector, type }: Target, value: unknown, working: VariablePool): Change {
	working.addValues(selector[0], { [selector[1]]: value });
	return { name: selector[1], selector, value_type: type, new_value: value };
}
