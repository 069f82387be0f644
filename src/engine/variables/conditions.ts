import * as z from 'zod';
import { MissingVariableError, NodeError } from '../nodes/nodeType.ts';
import { selectorSchema } from '../nodes/schemas.ts';
import { compare } from './comparison.ts';
import { fileMember, fileMembers } from './fileMember.ts';
import type { FileValue } from './fileValue.ts';
import { plainValue } from './float.ts';
import { pythonRepr, pythonStr, pythonType } from './pythonText.ts';
import { resolveText } from './references.ts';
import { segmentType } from './segmentType.ts';
import type { VariablePool } from './variables.ts';

/** How conditions are joined; defaults to `and` if an older file omits it. */
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
type Condition = z.output<typeof conditionSchema>;
type FileConditions = NonNullable<Condition['sub_variable_condition']>;
type SubCondition = z.output<typeof subConditionSchema>;

/**
 * Evaluates conditions, with short-circuiting. An empty list is true for `and` and false for `or`.
 * @throws {NodeError} if a variable doesn't exist, or a value has a type that its operator doesn't accept
 */
export function holds(conditions: readonly Condition[], join: 'and' | 'or', variables: VariablePool): boolean {
	const check = (condition: Condition) => conditionHolds(condition, variables);
	return join === 'and' ? conditions.every(check) : conditions.some(check);
}

function conditionHolds(condition: Condition, variables: VariablePool): boolean {
	const { variable_selector: selector, comparison_operator: operator, sub_variable_condition: files } = condition;
	const exact = variables.exact(selector);
	const actual = plainValue(exact);
	if (actual === undefined) {
		throw new MissingVariableError(selector, `Variable ${pythonRepr(selector)} not found`, '');
	}
	const type = segmentType(actual);
	if (type === 'array[file]' && fileOperators.has(operator)) {
		if (!files) {
			throw fault('Sub variable is required');
		}
		return filesHold(actual as readonly FileValue[], files);
	}
	return compare(operator, exact, operator.endsWith('exists') ? null : expectation(condition.value, type, variables));
}

/** Operators with conditions on members of files; all of them work alike (cases m48 to m52). */
const fileOperators = new Set(['contains', 'not contains', 'all of']);

/** Checks each condition separately for all files: any file must meet it, or every file if the operator contains "not". */
function filesHold(files: readonly FileValue[], { logical_operator, conditions }: FileConditions): boolean {
	const check = ({ key, comparison_operator: operator, value }: SubCondition): boolean => {
		if (!fileMembers.has(key)) {
			throw fault(`'${key}' is not a valid FileAttribute`);
		}
		const expected = key === 'extension' ? dotted(value) : (value ?? null);
		const results = files.map(file => compare(operator, fileMember(file, key), expected));
		return operator.includes('not') ? results.every(Boolean) : results.some(Boolean);
	};
	const results = conditions.map(check);
	return logical_operator === 'and' ? results.every(Boolean) : results.some(Boolean);
}

/** Adds the dot to an extension, which the hosted service's editor omits. */
function dotted(value: unknown): string {
	if (typeof value !== 'string') {
		throw fault('Expected value must be a string when key is FileAttribute.EXTENSION');
	}
	return value !== '' && !value.startsWith('.') ? `.${value}` : value;
}

/**
 * Returns the value to compare with: resolves references in a string, and parses JSON for comparisons with booleans (cases b34, b36, m40).
 */
function expectation(value: unknown, type: string, variables: VariablePool): unknown {
	const filled = typeof value === 'string' ? resolveText(value, variables) : (value ?? null);
	if (filled !== null && (type === 'boolean' || type === 'array[boolean]')) {
		return Array.isArray(filled) ? filled.map(booleanOf) : booleanOf(filled);
	}
	return filled;
}

function booleanOf(value: unknown): boolean {
	const read = typeof value === 'string' ? json(value) : value;
	if (typeof read !== 'boolean' && !Number.isInteger(read)) {
		throw fault(`unexpected value: type=<class '${pythonType(value)}'>, value=${pythonStr(value)}`);
	}
	return Boolean(read);
}

function json(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw fault('Expecting value: line 1 column 1 (char 0)');
	}
}

/** An error reported by the node itself: the hosted service gives it no type. */
function fault(message: string): NodeError {
	return new NodeError(message, '');
}
