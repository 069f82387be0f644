import { containsText } from '#base/text/containsText.ts';
import { checkSearch } from '../variables/comparison.ts';
import { getFileMember } from '../variables/fileMember.ts';
import type { FileValue } from '../variables/fileValue.ts';
import { parsePythonFloat } from '../variables/pythonNumbers.ts';
import { getPythonType, toPythonStr } from '../variables/pythonText.ts';
import { resolveText } from '../variables/references.ts';
import type { VariablePool } from '../variables/variables.ts';
import { NodeError } from './nodeError.ts';

/** Condition of a list operator; its operators differ from those of if-else (workflow DSL, "list-operator"). */
interface FilterCondition {
	readonly key: string;
	readonly comparison_operator: string;
	readonly value?: unknown;
}

type Test<T> = (item: T) => boolean;

/** Types of lists that can be filtered and sorted. */
export type ListType = 'array[string]' | 'array[number]' | 'array[boolean]' | 'array[file]';

/**
 * Returns the items of a list of one type that meet a condition.
 * @throws {NodeError} for an operator, value or key that isn't valid for such items
 */
export function filterList(list: readonly unknown[], type: ListType, condition: FilterCondition, variables: VariablePool): unknown[] {
	const { comparison_operator: operator, value } = condition;
	switch (type) {
		case 'array[string]':
			return filterTexts(list as readonly string[], operator, resolveFilterText(value, variables));
		case 'array[number]':
			return list.filter(createNumberTest(operator, resolveFilterText(value, variables)) as Test<unknown>);
		case 'array[boolean]':
			return list.filter(createBooleanTest(operator, value));
		default:
			return filterFiles(list as readonly FileValue[], condition, variables);
	}
}

function resolveFilterText(value: unknown, variables: VariablePool): string {
	if (typeof value !== 'string') {
		throw createListError(`Invalid filter value: ${toPythonStr(value)}`);
	}
	return resolveText(value, variables);
}

function filterTexts(list: readonly string[], operator: string, value: string): string[] {
	if (operator === 'in' || operator === 'not in') {
		checkSearch(value, list);
	}
	return list.filter(createTextTest(operator, value));
}

function createTextTest(operator: string, value: string): Test<string> {
	const tests: Readonly<Record<string, Test<string>>> = {
		contains: item => containsText(item, value),
		'start with': item => item.startsWith(value),
		'end with': item => item.endsWith(value),
		is: item => item === value,
		// searches for the item in the string, not for the string in a list
		in: item => containsText(value, item),
		empty: item => item === '',
	};
	const known = tests[operator];
	if (known) {
		return known;
	}
	const negated = { 'not contains': 'contains', 'is not': 'is', 'not in': 'in', 'not empty': 'empty' }[operator];
	if (negated === undefined) {
		throw createOperatorError(operator);
	}
	return item => !(tests[negated] as Test<string>)(item);
}

function createNumberTest(operator: string, text: string): Test<number> {
	const value = parsePythonFloat(text);
	if (value === undefined) {
		throw new NodeError(`could not convert string to float: '${text}'`, 'WorkflowNodeError');
	}
	const tests: Readonly<Record<string, Test<number>>> = {
		'=': item => item === value,
		'≠': item => item !== value,
		'<': item => item < value,
		'≤': item => item <= value,
		'>': item => item > value,
		'≥': item => item >= value,
	};
	const test = tests[operator];
	if (!test) {
		throw createOperatorError(operator);
	}
	return test;
}

function createBooleanTest(operator: string, value: unknown): Test<unknown> {
	if (typeof value !== 'boolean') {
		throw new NodeError(`Boolean filter expects a boolean value, got <class '${getPythonType(value)}'>`, 'WorkflowNodeError');
	}
	if (operator !== 'is' && operator !== 'is not') {
		throw createOperatorError(operator);
	}
	return item => (item === value) === (operator === 'is');
}

const textMembers = new Set(['name', 'extension', 'mime_type', 'url', 'related_id']);
const listMembers = new Set(['type', 'transfer_method']);

function filterFiles(list: readonly FileValue[], condition: FilterCondition, variables: VariablePool): FileValue[] {
	const { comparison_operator: operator, value: given } = condition;
	// filled once, because filling a long text for each of many files takes minutes
	const value = typeof given === 'string' ? resolveText(given, variables) : given;
	if (typeof value === 'string' && (operator === 'in' || operator === 'not in')) {
		checkSearch(value, list);
	}
	return list.filter(file => isFileMatching(file, { ...condition, value }));
}

function isFileMatching(file: FileValue, { key, comparison_operator: operator, value }: FilterCondition): boolean {
	if (typeof value === 'boolean') {
		throw new NodeError("File filter expects a string value, got <class 'bool'>", 'WorkflowNodeError');
	}
	const actual = getFileMember(file, key) ?? '';
	if (textMembers.has(key) && typeof value === 'string') {
		return createTextTest(operator, value)(String(actual));
	}
	if (listMembers.has(key)) {
		if (operator !== 'in' && operator !== 'not in') {
			throw createOperatorError(operator);
		}
		const values = typeof value === 'string' || Array.isArray(value) ? value : [];
		return values.includes(String(actual)) === (operator === 'in');
	}
	if (key === 'size' && typeof value === 'string') {
		return createNumberTest(operator, value)(Number(actual));
	}
	throw createListError(`Invalid key: ${key}`);
}

function createOperatorError(operator: string): NodeError {
	return createListError(`Invalid condition: ${operator}`);
}

/** Creates an error without a type, as the hosted service does for errors that the node itself reports. */
export function createListError(message: string): NodeError {
	return new NodeError(message, '');
}
