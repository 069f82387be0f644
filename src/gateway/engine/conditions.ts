import * as z from 'zod';
import { compare } from './comparison.ts';
import { fileMember } from './fileMember.ts';
import { isFileValue } from './fileValue.ts';
import { NodeError } from './nodes/nodeType.ts';
import { selectorSchema } from './nodes/schemas.ts';
import { pythonRepr } from './pythonText.ts';
import { resolveText } from './references.ts';
import type { VariablePool } from './variables.ts';

/** How conditions are joined; `and` where older files leave it out. */
export const joinSchema = z
	.enum(['and', 'or'])
	.nullish()
	.transform(join => join ?? 'and');

const subConditionSchema = z.looseObject({
	key: z.string(),
	comparison_operator: z.string(),
	value: z.unknown().optional(),
});

/** Condition of an if-else or loop node. */
export const conditionSchema = z.looseObject({
	variable_selector: selectorSchema,
	comparison_operator: z.string(),
	value: z.unknown().optional(),
	sub_variable_condition: z.looseObject({ logical_operator: joinSchema, conditions: z.array(subConditionSchema) }).nullish(),
});
export type Condition = z.output<typeof conditionSchema>;

/**
 * Whether conditions hold, evaluated only as far as needed. No conditions hold for `and`, and do not for `or`.
 * @throws {NodeError} if a variable does not exist, or a value is of no type that its operator takes
 */
export function holds(conditions: readonly Condition[], join: 'and' | 'or', variables: VariablePool): boolean {
	const check = (condition: Condition) => conditionHolds(condition, variables);
	return join === 'and' ? conditions.every(check) : conditions.some(check);
}

function conditionHolds(condition: Condition, variables: VariablePool): boolean {
	const { variable_selector: selector, comparison_operator: operator, sub_variable_condition: files } = condition;
	const actual = variables.get(selector);
	if (actual === undefined) {
		throw new NodeError(`Variable ${pythonRepr(selector)} not found`, 'ValueError');
	}
	if (files && Array.isArray(actual) && operator !== 'exists' && operator !== 'not exists') {
		return filesHold(actual, operator, files, variables);
	}
	return compare(operator, actual, expected(condition.value, actual, variables));
}

function filesHold(
	actual: readonly unknown[],
	operator: string,
	{ logical_operator, conditions }: NonNullable<Condition['sub_variable_condition']>,
	variables: VariablePool,
): boolean {
	const fits = (file: unknown): boolean => {
		const check = (sub: z.output<typeof subConditionSchema>) => {
			const value = isFileValue(file) ? fileMember(file, sub.key) : undefined;
			return compare(sub.comparison_operator, value ?? null, fileExpectation(sub.key, expected(sub.value, value, variables)));
		};
		return logical_operator === 'and' ? conditions.every(check) : conditions.some(check);
	};
	// a not-operator asks that no file fits; all others ask for any
	return operator === 'not contains' ? !actual.some(fits) : operator === 'all of' ? actual.every(fits) : actual.some(fits);
}

/** The compared value: references in it are replaced, and text compared with a boolean is read as JSON (cases b34, b36). */
function expected(value: unknown, actual: unknown, variables: VariablePool): unknown {
	if (Array.isArray(value)) {
		return value.map(item => (typeof item === 'string' ? resolveText(item, variables) : item));
	}
	if (typeof value !== 'string') {
		return value ?? null;
	}
	const text = resolveText(value, variables);
	if (typeof actual !== 'boolean') {
		return text;
	}
	const parsed = { true: true, false: false, '1': true, '0': false }[text.trim().toLowerCase()];
	if (parsed === undefined) {
		throw new NodeError(`unexpected boolean value: ${text}`, 'ValueError');
	}
	return parsed;
}

/** Extensions are compared with their dot, which the editor of the hosted service leaves out. */
function fileExpectation(key: string, value: unknown): unknown {
	return key === 'extension' && typeof value === 'string' && value !== '' && !value.startsWith('.') ? `.${value}` : value;
}
