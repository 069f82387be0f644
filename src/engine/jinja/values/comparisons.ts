import { TemplateError } from '../templateError.ts';
import { isNumber, toNumber } from './numbers.ts';
import { Dict, keyOf, typeName, Undefined, type Value } from './values.ts';

type Comparison = (left: Value, right: Value) => boolean;

/** Comparison operators with Python's semantics. */
export const comparisons: Readonly<Record<string, Comparison>> = {
	'==': equal,
	'!=': (left, right) => !equal(left, right),
	'<': (left, right) => order('<', left, right) < 0,
	'<=': (left, right) => order('<=', left, right) <= 0,
	'>': (left, right) => order('>', left, right) > 0,
	'>=': (left, right) => order('>=', left, right) >= 0,
	in: contained,
	'not in': (left, right) => !contained(left, right),
};

export function equal(left: Value, right: Value): boolean {
	if (isNumber(left) && isNumber(right)) {
		return typeof left === 'bigint' && typeof right === 'bigint' ? left === right : toNumber(left) === toNumber(right);
	}
	if (Array.isArray(left) && Array.isArray(right)) {
		return (
			typeName(left) === typeName(right) && left.length === right.length && left.every((item, index) => equal(item, right[index] as Value))
		);
	}
	if (left instanceof Dict && right instanceof Dict) {
		return left.size === right.size && [...left].every(([key, item]) => right.has(key) && equal(item, right.get(key) as Value));
	}
	return left === right || (left instanceof Undefined && right instanceof Undefined);
}

/** Compares two values. The result is negative if left comes first. @throws {TemplateError} if the values can't be ordered */
export function order(operator: string, left: Value, right: Value): number {
	if (isNumber(left) && isNumber(right)) {
		if (typeof left === 'bigint' && typeof right === 'bigint') {
			return left < right ? -1 : left > right ? 1 : 0;
		}
		return toNumber(left) - toNumber(right);
	}
	if (typeof left === 'string' && typeof right === 'string') {
		return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
	}
	if (Array.isArray(left) && Array.isArray(right) && typeName(left) === typeName(right)) {
		const differs = left.findIndex((item, index) => index >= right.length || !equal(item, right[index] as Value));
		return differs < 0 || differs >= right.length
			? left.length - right.length
			: order(operator, left[differs] as Value, right[differs] as Value);
	}
	throw new TemplateError(`'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`);
}

/** @throws {TemplateError} naming the value if it is undefined */
export function refuseUndefined(value: Value): void {
	if (value instanceof Undefined && value.name) {
		throw new TemplateError(`'${value.name}' is undefined`);
	}
}

export function contained(item: Value, container: Value): boolean {
	if (container instanceof Undefined) {
		return false;
	}
	if (container instanceof Dict) {
		return container.has(keyOf(item));
	}
	if (Array.isArray(container)) {
		return container.some(candidate => equal(candidate, item));
	}
	if (typeof container === 'string') {
		if (typeof item !== 'string') {
			refuseUndefined(item);
			throw new TemplateError(`'in <string>' requires string as left operand, not ${typeName(item)}`);
		}
		return container.includes(item);
	}
	throw new TemplateError(`argument of type '${typeName(container)}' is not iterable`);
}
