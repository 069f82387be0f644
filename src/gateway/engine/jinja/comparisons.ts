import { floatValue, fromValue, type RuntimeValue } from './runtimeValues.ts';

type Comparison = (left: RuntimeValue, right: RuntimeValue) => boolean;

/** Comparisons as Python makes them; several in a row hold where each of them does (`1 < x < 3`). */
export const comparisons: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
	['==', equal],
	['!=', (left, right) => !equal(left, right)],
	['<', (left, right) => order('<', left, right) < 0],
	['<=', (left, right) => order('<=', left, right) <= 0],
	['>', (left, right) => order('>', left, right) > 0],
	['>=', (left, right) => order('>=', left, right) >= 0],
	['in', contained],
	['not in', (left, right) => !contained(left, right)],
]);

/** Whether a value is a number; booleans are. */
export function isNumber(value: RuntimeValue): boolean {
	return value.type === 'IntegerValue' || value.type === 'FloatValue' || value.type === 'BooleanValue';
}

/** Whole or with a fraction, as its operands are. */
export function numberValue(value: number, ...operands: readonly RuntimeValue[]): RuntimeValue {
	return operands.some(operand => operand.type === 'FloatValue') ? floatValue(value) : fromValue(value);
}

/** Python's name of a value's type, for texts of failures. */
export function typeName({ type }: RuntimeValue): string {
	return typeNames[type] ?? 'object';
}

const typeNames: Readonly<Record<string, string>> = {
	StringValue: 'str',
	IntegerValue: 'int',
	FloatValue: 'float',
	BooleanValue: 'bool',
	NullValue: 'NoneType',
	UndefinedValue: 'Undefined',
	ArrayValue: 'list',
	TupleValue: 'tuple',
	ObjectValue: 'dict',
};

function equal(left: RuntimeValue, right: RuntimeValue): boolean {
	if (isNumber(left) && isNumber(right)) {
		return Number(left.value) === Number(right.value);
	}
	if (left.type !== right.type) {
		return false;
	}
	if (isList(left)) {
		const [a, b] = [left.value as RuntimeValue[], right.value as RuntimeValue[]];
		return a.length === b.length && a.every((item, index) => equal(item, b[index] as RuntimeValue));
	}
	if (left.type === 'ObjectValue') {
		const [a, b] = [left.value as Map<string, RuntimeValue>, right.value as Map<string, RuntimeValue>];
		return a.size === b.size && [...a].every(([key, item]) => b.has(key) && equal(item, b.get(key) as RuntimeValue));
	}
	return left.type === 'NullValue' || left.type === 'UndefinedValue' || left.value === right.value;
}

function order(operator: string, left: RuntimeValue, right: RuntimeValue): number {
	if (isNumber(left) && isNumber(right)) {
		return Number(left.value) - Number(right.value);
	}
	if (left.type === 'StringValue' && right.type === 'StringValue') {
		return left.value === right.value ? 0 : Buffer.compare(Buffer.from(left.value as string), Buffer.from(right.value as string));
	}
	if (left.type === right.type && isList(left)) {
		const [a, b] = [left.value as RuntimeValue[], right.value as RuntimeValue[]];
		const differs = a.findIndex((item, index) => index >= b.length || !equal(item, b[index] as RuntimeValue));
		return differs < 0 || differs >= b.length
			? a.length - b.length
			: order(operator, a[differs] as RuntimeValue, b[differs] as RuntimeValue);
	}
	throw new Error(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

function contained(item: RuntimeValue, container: RuntimeValue): boolean {
	switch (container.type) {
		case 'UndefinedValue':
			return false;
		case 'ArrayValue':
		case 'TupleValue':
			return (container.value as RuntimeValue[]).some(candidate => equal(candidate, item));
		case 'ObjectValue':
			return item.type === 'StringValue' && (container.value as Map<string, RuntimeValue>).has(item.value as string);
		case 'StringValue':
			if (item.type !== 'StringValue') {
				throw new Error(`'in <string>' requires string as left operand, not ${typeName(item)}`);
			}
			return (container.value as string).includes(item.value as string);
		default:
			throw new Error(`argument of type '${typeName(container)}' is not iterable`);
	}
}

function isList({ type }: RuntimeValue): boolean {
	return type === 'ArrayValue' || type === 'TupleValue';
}
