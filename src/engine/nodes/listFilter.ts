import { containsText } from '#base/text/containsText.ts';
import { checkSearch } from '../variables/comparison.ts';
import { fileMember } from '../variables/fileMember.ts';
import type { FileValue } from '../variables/fileValue.ts';
import { floatIn } from '../variables/pythonNumbers.ts';
import { pythonStr, pythonType } from '../variables/pythonText.ts';
import { resolveText } from '../variables/references.ts';
import type { VariablePool } from '../variables/variables.ts';
import { NodeError } from './nodeType.ts';

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
export function filteredBy(list: readonly unknown[], type: ListType, condition: FilterCondition, variables: VariablePool): unknown[] {
	const { comparison_operator: operator, value } = condition;
	switch (type) {
		case 'array[string]':
			return filteredTexts(list as readonly string[], operator, filledText(value, variables));
		case 'array[number]':
			return list.filter(numberTest(operator, filledText(value, variables)) as Test<unknown>);
		case 'array[boolean]':
			return list.filter(booleanTest(operator, value));
		default:
			return list.filter(item => fileHolds(item as FileValue, condition, variables));
	}
}

function filledText(value: unknown, variables: VariablePool): string {
	if (typeof value !== 'string') {
		throw listFault(`Invalid filter value: ${pythonStr(value)}`);
	}
	return resolveText(value, variables);
}

function filteredTexts(list: readonly string[], operator: string, value: string): string[] {
	if (operator === 'in' || operator === 'not in') {
		checkSearch(value, list);
	}
	return list.filter(textTest(operator, value));
}

function textTest(operator: string, value: string): Test<string> {
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
		throw unknownOperator(operator);
	}
	return item => !(tests[negated] as Test<string>)(item);
}

function numberTest(operator: string, text: string): Test<number> {
	const value = floatIn(text);
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
		throw unknownOperator(operator);
	}
	return test;
}

function booleanTest(operator: string, value: unknown): Test<unknown> {
	if (typeof value !== 'boolean') {
		throw new NodeError(`Boolean filter expects a boolean value, got <class '${pythonType(value)}'>`, 'WorkflowNodeError');
	}
	if (operator !== 'is' && operator !== 'is not') {
		throw unknownOperator(operator);
	}
	return item => (item === value) === (operator === 'is');
}

const textMembers = new Set(['name', 'extension', 'mime_type', 'url', 'related_id']);
const listMembers = new Set(['type', 'transfer_method']);

function fileHolds(
	file: FileValue,
	{ key, comparison_operator: operator, value: given }: FilterCondition,
	variables: VariablePool,
): boolean {
	if (typeof given === 'boolean') {
		throw new NodeError("File filter expects a string value, got <class 'bool'>", 'WorkflowNodeError');
	}
	const value = typeof given === 'string' ? resolveText(given, variables) : given;
	const actual = fileMember(file, key) ?? '';
	if (textMembers.has(key) && typeof value === 'string') {
		return textTest(operator, value)(String(actual));
	}
	if (listMembers.has(key)) {
		if (operator !== 'in' && operator !== 'not in') {
			throw unknownOperator(operator);
		}
		const values = typeof value === 'string' || Array.isArray(value) ? value : [];
		return values.includes(String(actual)) === (operator === 'in');
	}
	if (key === 'size' && typeof value === 'string') {
		return numberTest(operator, value)(Number(actual));
	}
	throw listFault(`Invalid key: ${key}`);
}

function unknownOperator(operator: string): NodeError {
	return listFault(`Invalid condition: ${operator}`);
}

/** An error reported by the node itself: the hosted service gives it no type. */
export function listFault(message: string): NodeError {
	return new NodeError(message, '');
}
