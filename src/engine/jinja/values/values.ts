import { Float } from '../../variables/float.ts';
import { TemplateError } from '../templateError.ts';

/**
 * Values inside of a template, as Python has them: text, whole numbers (`number`, or `bigint` beyond 2⁵³), fractions (`number`, or {@link Float}
 * if there is nothing after the point), booleans, null, lists (arrays), {@link Tuple}, {@link Dict}, {@link Undefined} and functions.
 */
export type Value = string | number | bigint | boolean | null | Float | Value[] | Dict | Undefined | Callable | Members;

/** A list that doesn't change, printed in round brackets. `names`: members that name its items. */
export class Tuple extends Array<Value> {
	names: readonly string[] = [];

	static of2(...items: Value[]): Tuple {
		const tuple = new Tuple();
		tuple.push(...items);
		return tuple;
	}
}

/** Keys are texts, numbers, booleans or null. */
export class Dict extends Map<Value, Value> {}

/** What doesn't exist; `name` is what was looked for. */
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

/** A function, method or macro. `quick`: takes no longer than what it is given and gives is long. */
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

/** An object with members: `loop`, a namespace, a cycler. */
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

/** Makes a template's value of a plain one; lists and objects are copied, since templates can change them. */
export function fromPlain(value: unknown): Value {
	if (Array.isArray(value)) {
		return value.map(fromPlain);
	}
	if (value instanceof Float) {
		return value;
	}
	if (value instanceof Map) {
		return new Dict([...value].map(([key, item]) => [fromPlain(key), fromPlain(item)]));
	}
	if (typeof value === 'object' && value !== null) {
		return new Dict(Object.entries(value).map(([key, item]) => [key, fromPlain(item)]));
	}
	return value === undefined ? new Undefined() : (value as Value);
}

/** Python's name of a value's type, for messages. */
export function typeName(value: Value): string {
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

/** Whether a value counts as true: not for zero, and not for what is empty or doesn't exist. */
export function isTrue(value: Value): boolean {
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

/** Items of a list, characters of a text, keys of a dict; nothing for what doesn't exist. @throws {TemplateError} for anything else */
export function itemsOf(value: Value): readonly Value[] {
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
	throw new TemplateError(`'${typeName(value)}' object is not iterable`);
}

/** @throws {TemplateError} for what can't be a key */
export function keyOf(value: Value): Value {
	if (Array.isArray(value) || value instanceof Dict) {
		throw new TemplateError(`unhashable type: '${typeName(value)}'`);
	}
	return value instanceof Float ? value.value : typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
