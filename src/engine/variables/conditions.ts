import * as z from 'zod';
import { MissingVariableError, NodeError } from '../nodes/nodeError.ts';
import { selectorSchema } from '../nodes/schemas.ts';
import { compareByOperator } from './comparison.ts';
import { fileMembers, getFileMember } from './fileMember.ts';
import type { FileValue } from './fileValue.ts';
import { toPlainValue } from './float.ts';
import { getPythonType, toPythonRepr, toPythonStr } from './pythonText.ts';
import { resolveText } from './references.ts';
import { getSegmentType } from './segmentType.ts';
import type { VariablePool } from './variables.ts';
import { checkWeight } from './weight.ts';

/** Schema of how conditions are joined; `and` if an older file omits it. */
export const joinSchema = z
	.enum(['and', 'or'])
	.nullish()
	.transform(join => join ?? 'and');

const subConditionSchema = z.looseObject({
	key: z.string(),
	comparison_operator: z.string(),
	value: z.unknown().optional(),
});

/** Schema of a condition of an if-else or loop node. */
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
 * @throws {NodeError} if a variable doesn't exist, a value has a type that its operator doesn't accept, or the values are too long
 */
export function areConditionsMet(conditions: readonly Condition[], join: 'and' | 'or', variables: VariablePool): boolean {
	checkWeight(conditions.map(({ variable_selector: selector }) => variables.get(selector)));
	const checkCondition = (condition: Condition) => isConditionMet(condition, variables);
	return join === 'and' ? conditions.every(checkCondition) : conditions.some(checkCondition);
}

function isConditionMet(condition: Condition, variables: VariablePool): boolean {
	const { variable_selector: selector, comparison_operator: operator, sub_variable_condition: files } = condition;
	const exact = variables.getExactValue(selector);
	const actual = toPlainValue(exact);
	if (actual === undefined) {
		throw new MissingVariableError(selector, `Variable ${toPythonRepr(selector)} not found`, '');
	}
	const type = getSegmentType(actual);
	if (type === 'array[file]' && fileOperators.has(operator)) {
		if (!files) {
			throw createConditionError('Sub variable is required');
		}
		return areFilesMatching(actual as readonly FileValue[], files);
	}
	return compareByOperator(operator, exact, operator.endsWith('exists') ? null : resolveExpected(condition.value, type, variables));
}

/** Operators with conditions on members of files; all of them work alike (cases m48 to m52). */
const fileOperators = new Set(['contains', 'not contains', 'all of']);

/** Maximum number of files times conditions on them, which would take seconds. */
const mostFileChecks = 1_000_000;

/** Checks each condition separately for all files: any file must meet it, or every file if the operator contains "not". */
function areFilesMatching(files: readonly FileValue[], { logical_operator, conditions }: FileConditions): boolean {
	if (files.length * conditions.length > mostFileChecks) {
		throw createConditionError(`${conditions.length} conditions are too many for ${files.length} files`);
	}
	const checkFileCondition = ({ key, comparison_operator: operator, value }: SubCondition): boolean => {
		if (!fileMembers.has(key)) {
			throw createConditionError(`'${key}' is not a valid FileAttribute`);
		}
		const expected = key === 'extension' ? addLeadingDot(value) : (value ?? null);
		const results = files.map(file => compareByOperator(operator, getFileMember(file, key), expected));
		return operator.includes('not') ? results.every(Boolean) : results.some(Boolean);
	};
	const results = conditions.map(checkFileCondition);
	return logical_operator === 'and' ? results.every(Boolean) : results.some(Boolean);
}

/** Adds a dot to a file extension: the hosted service's editor omits it. */
function addLeadingDot(value: unknown): string {
	if (typeof value !== 'string') {
		throw createConditionError('Expected value must be a string when key is FileAttribute.EXTENSION');
	}
	return value !== '' && !value.startsWith('.') ? `.${value}` : value;
}

/**
 * Returns the value to compare with: resolves references in a string, and parses JSON for comparisons with booleans (cases b34, b36, m40).
 */
function resolveExpected(value: unknown, type: string, variables: VariablePool): unknown {
	const filled = typeof value === 'string' ? resolveText(value, variables) : (value ?? null);
	if (filled !== null && (type === 'boolean' || type === 'array[boolean]')) {
		return Array.isArray(filled) ? filled.map(parseBoolean) : parseBoolean(filled);
	}
	return filled;
}

function parseBoolean(value: unknown): boolean {
	const read = typeof value === 'string' ? parseJson(value) : value;
	if (typeof read !== 'boolean' && !Number.isInteger(read)) {
		throw createConditionError(`unexpected value: type=<class '${getPythonType(value)}'>, value=${toPythonStr(value)}`);
	}
	return Boolean(read);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw createConditionError('Expecting value: line 1 column 1 (char 0)');
	}
}

/** Creates an error without a type, as the hosted service does for errors that the node itself reports. */
function createConditionError(message: string): NodeError {
	return new NodeError(message, '');
}
