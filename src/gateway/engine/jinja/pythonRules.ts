import { typeName } from './comparisons.ts';
import type { CallExpression, FilterNode, Statement } from './interpreter.ts';
import { listValue, printed, type RuntimeValue, textValue } from './runtimeValues.ts';

/** What becomes of the value of an expression because of where it stands. @throws {Error} if it cannot stand there */
export type Rule = (value: RuntimeValue) => RuntimeValue;

/** Filters that take any value as its text, and those that take what does not exist as an empty list. */
const textFilters = new Set('upper lower title capitalize trim replace indent'.split(' '));
const listFilters = new Set(
	`batch count dictsort first groupby items join last length list map max min reject rejectattr reverse select selectattr slice sort sum
	unique`.split(/\s+/),
);

/** The rule for what a filter is applied to; `undefined`: the filter takes what comes. */
export function operandRule(name: string): Rule | undefined {
	if (textFilters.has(name)) {
		return value => (value.type === 'StringValue' ? value : textValue(printed(value)));
	}
	return listFilters.has(name) ? value => (value.type === 'UndefinedValue' ? listValue([]) : value) : undefined;
}

/** The rule for what has members: it must exist. */
export function ownerRule(owner: Statement): Rule {
	return value => {
		if (value.type === 'UndefinedValue') {
			throw new Error(`${nameOf(owner)} is undefined, so that it has no members`);
		}
		return value;
	};
}

/** The rule for what a loop goes through: nothing for what does not exist, the characters of a text. `unpacks`: items are taken apart. */
export function loopRule(unpacks: boolean): Rule {
	return value => {
		switch (value.type) {
			case 'UndefinedValue':
				return listValue([]);
			case 'StringValue':
				return listValue([...(value.value as string)].map(textValue));
			case 'ArrayValue':
			case 'TupleValue':
				return unpacks ? listValue((value.value as RuntimeValue[]).map(unpacked)) : value;
			case 'ObjectValue':
				return value;
			default:
				throw new Error(`'${typeName(value)}' object is not iterable`);
		}
	};
}

/** The library takes only lists apart. */
function unpacked(item: RuntimeValue): RuntimeValue {
	return item.type === 'TupleValue' ? listValue(item.value as RuntimeValue[]) : item;
}

/** Name of a filter, with or without arguments. */
export function filterName(filter: FilterNode): string {
	return filter.type === 'CallExpression' ? filter.callee.value : filter.value;
}

function nameOf(owner: Statement): string {
	const { value, property } = owner as unknown as { readonly value?: unknown; readonly property?: CallExpression['callee']['property'] };
	return `'${property?.value ?? value ?? 'a value'}'`;
}
