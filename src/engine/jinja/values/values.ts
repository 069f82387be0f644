import { Float } from '../../variables/float.ts';
import { TemplateError } from '../templateError.ts';

/**
 * A value in a template, following Python's types: string, integer (`number`, or `bigint` beyond 2⁵³), float (`number`, or {@link Float}
 * if it has no fraction), boolean, null, list (array), {@link Tuple}, {@link Dict}, {@link Undefined} or function.
 */
export type Value = string | number | bigint | boolean | null | Float | Value[] | Dict | Undefined | Callable | Members;

/** An immutable list, printed in parentheses. `names` are members that access its items by name. */
export class Tuple extends Array<Value> {
	names: readonly string[] = [];

	static create(...items: Value[]): Tuple {
		const tuple = new Tuple();
		tuple.push(...items);
		return tuple;
	}
}

/** A dict. Its keys are strings, numbers, booleans or null. */
export class Dict extends Map<Value, Value> {}

/** An undefined value; `name` is the name that was looked up. */
export class Undefined {
	readonly name: string;

	constructor(name = '') {
		this.name = name;
	}
}

/** Arguments of a call. */
export interface Arguments {
	readonly positional: readonly Value[];
	readonly named: ReadonlyMap<string, Value>;
}

/** A function, method or macro. `quick` is true if its time is proportional to the size of its arguments and result. */
export class Callable {
	readonly name: string;
	readonly call: (args: Arguments) => Value;
	readonly quick: boolean;

	constructor(name: string, call: (args: Arguments) => Value, quick = false) {
		this.name = name;
		this.call = call;
		this.quick = quick;
	}
}

/** An object with members: `loop`, a namespace or a cycler. */
export class Members {
	readonly kind: string;
	readonly member: (name: string) => Value | undefined;
	readonly set: ((name: string, value: Value) => void) | undefined;
	readonly call: ((args: Arguments) => Value) | undefined;

	constructor(kind: string, member: Members['member'], more: Partial<Pick<Members, 'set' | 'call'>> = {}) {
		this.kind = kind;
		this.member = member;
		this.set = more.set;
		this.call = more.call;
	}
}

/** Converts a plain JavaScript value to a template value. Lists and objects are copied, since templates can modify them. */
export function toTemplateValue(value: unknown): Value {
	if (Array.isArray(value)) {
		return value.map(toTemplateValue);
	}
	if (value instanceof Float) {
		return value;
	}
	if (value instanceof Map) {
		return new Dict([...value].map(([key, item]) => [toTemplateValue(key), toTemplateValue(item)]));
	}
	if (typeof value === 'object' && value !== null) {
		return new Dict(Object.entries(value).map(([key, item]) => [key, toTemplateValue(item)]));
	}
	return value === undefined ? new Undefined() : (value as Value);
}

/** Returns Python's name of a value's type, for messages. */
export function getTypeName(value: Value): string {
	switch (typeof value) {
		case 'string':
			return 'str';
		case 'boolean':
			return 'bool';
		case 'number':
			return Number.isInteger(value) ? 'int' : 'float';
		case 'bigint':
			return 'int';
	}
	if (value === null) {
		return 'NoneType';
	}
	if (value instanceof Members) {
		return value.kind;
	}
	const names = [
		[Float, 'float'],
		[Tuple, 'tuple'],
		[Dict, 'dict'],
		[Undefined, 'Undefined'],
		[Callable, 'function'],
	] as const;
	return names.find(([type]) => value instanceof type)?.[1] ?? 'list';
}

/** True if a value is truthy. Zero, empty and undefined values are falsy. */
export function isTruthy(value: Value): boolean {
	if (value instanceof Float) {
		return value.value !== 0;
	}
	if (value instanceof Dict) {
		return value.size > 0;
	}
	return Array.isArray(value)
		? value.length > 0
		: !(value instanceof Undefined) && Boolean(typeof value === 'number' && Number.isNaN(value) ? 1 : value);
}

/** Returns the items of a list, characters of a string or keys of a dict; empty if undefined. @throws {TemplateError} for other values */
export function listItems(value: Value): readonly Value[] {
	if (Array.isArray(value)) {
		return value;
	}
	if (typeof value === 'string') {
		return [...value];
	}
	if (value instanceof Dict) {
		return [...value.keys()];
	}
	if (value instanceof Undefined) {
		return [];
	}
	throw new TemplateError(`'${getTypeName(value)}' object is not iterable`);
}

/** @throws {TemplateError} if the value can't be used as a key */
export function toDictKey(value: Value): Value {
	if (Array.isArray(value) || value instanceof Dict) {
		throw new TemplateError(`unhashable type: '${getTypeName(value)}'`);
	}
	return value instanceof Float ? value.value : typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
