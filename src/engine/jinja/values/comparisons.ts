import { TemplateError } from '../templateError.ts';
import { isNumber, toNumber } from './numbers.ts';
import { Dict, getTypeName, toDictKey, Undefined, type Value } from './values.ts';

type Comparison = (left: Value, right: Value) => boolean;

/** Comparison operators with Python's semantics. */
export const comparisons: Readonly<Record<string, Comparison>> = {
	'==': isEqual,
	'!=': (left, right) => !isEqual(left, right),
	'<': (left, right) => compareValues('<', left, right) < 0,
	'<=': (left, right) => compareValues('<=', left, right) <= 0,
	'>': (left, right) => compareValues('>', left, right) > 0,
	'>=': (left, right) => compareValues('>=', left, right) >= 0,
	in: isContainedIn,
	'not in': (left, right) => !isContainedIn(left, right),
};

export function isEqual(left: Value, right: Value): boolean {
	if (isNumber(left) && isNumber(right)) {
		return typeof left === 'bigint' && typeof right === 'bigint' ? left === right : toNumber(left) === toNumber(right);
	}
	if (Array.isArray(left) && Array.isArray(right)) {
		return (
			getTypeName(left) === getTypeName(right) &&
			left.length === right.length &&
			left.every((item, index) => isEqual(item, right[index] as Value))
		);
	}
	if (left instanceof Dict && right instanceof Dict) {
		return left.size === right.size && [...left].every(([key, item]) => right.has(key) && isEqual(item, right.get(key) as Value));
	}
	return left === right || (left instanceof Undefined && right instanceof Undefined);
}

/** Compares two values. The result is negative if left comes first. @throws {TemplateError} if the values can't be ordered */
export function compareValues(operator: string, left: Value, right: Value): number {
	if (isNumber(left) && isNumber(right)) {
		if (typeof left === 'bigint' && typeof right === 'bigint') {
			return left < right ? -1 : left > right ? 1 : 0;
		}
		return toNumber(left) - toNumber(right);
	}
	if (typeof left === 'string' && typeof right === 'string') {
		return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
	}
	if (Array.isArray(left) && Array.isArray(right) && getTypeName(left) === getTypeName(right)) {
		const differs = left.findIndex((item, index) => index >= right.length || !isEqual(item, right[index] as Value));
		return differs < 0 || differs >= right.length
			? left.length - right.length
			: compareValues(operator, left[differs] as Value, right[differs] as Value);
	}
	throw new TemplateError(`'${operator}' not supported between instances of '${getTypeName(left)}' and '${getTypeName(right)}'`);
}

/** @throws {TemplateError} naming the value if it is undefined */
export function refuseUndefined(value: Value): void {
	if (value instanceof Undefined && value.name) {
		throw new TemplateError(`'${value.name}' is undefined`);
	}
}

export function isContainedIn(item: Value, container: Value): boolean {
	if (container instanceof Undefined) {
		return false;
	}
	if (container instanceof Dict) {
		return container.has(toDictKey(item));
	}
	if (Array.isArray(container)) {
		return container.some(candidate => isEqual(candidate, item));
	}
	if (typeof container === 'string') {
		if (typeof item !== 'string') {
			refuseUndefined(item);
			throw new TemplateError(`'in <string>' requires string as left operand, not ${getTypeName(item)}`);
		}
		return container.includes(item);
	}
	throw new TemplateError(`argument of type '${getTypeName(container)}' is not iterable`);
}
