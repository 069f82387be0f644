import { dictMethods } from './methods/dictMethods.ts';
import { listMethods } from './methods/listMethods.ts';
import { textMethods } from './methods/textMethods.ts';
import { TemplateError } from './templateError.ts';
import { isFloat, isNumber, requireInteger, toNumber } from './values/numbers.ts';
import { Callable, Dict, getTypeName, Members, Tuple, toDictKey, Undefined, type Value } from './values/values.ts';

/** Evaluates `x.name`: a method, or else an item. */
export function getMember(owner: Value, name: string): Value {
	const found = findMethod(owner, name) ?? findItem(owner, name);
	return found === undefined ? new Undefined(name) : found;
}

/** Evaluates `x[key]`: an item, or else a method. */
export function getItem(owner: Value, key: Value): Value {
	const found = findItem(owner, key);
	if (found !== undefined) {
		return found;
	}
	return (typeof key === 'string' ? findMethod(owner, key) : undefined) ?? new Undefined(typeof key === 'string' ? key : String(key));
}

/** Evaluates `x[from:to:step]` with Python's semantics. */
export function sliceValue(owner: Value, bounds: readonly (Value | undefined)[]): Value {
	if (typeof owner !== 'string' && !Array.isArray(owner)) {
		throw new TemplateError(`'${getTypeName(owner)}' object can't be sliced`);
	}
	const items: Value[] = typeof owner === 'string' ? [...owner] : owner;
	const [from, to, by] = [0, 1, 2].map(index => {
		const bound = bounds[index];
		return bound === undefined || bound === null ? undefined : requireInteger(bound, 'a slice');
	});
	const step = by ?? 1;
	if (step === 0) {
		throw new TemplateError('slice step cannot be zero');
	}
	const { length } = items;
	const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
	const clampIndex = (at: number) => Math.max(least, Math.min(most, at < 0 ? at + length : at));
	const end = to === undefined ? (step > 0 ? length : -1) : clampIndex(to);
	const picked: Value[] = [];
	for (let at = from === undefined ? (step > 0 ? 0 : length - 1) : clampIndex(from); step > 0 ? at < end : at > end; at += step) {
		picked.push(items[at] as Value);
	}
	return typeof owner === 'string' ? picked.join('') : owner instanceof Tuple ? Tuple.create(...picked) : picked;
}

/** Resolves a dotted path of names as filters accept it (`attribute="a.b"`). Numbers are indexes. */
export function getAttribute(value: Value, path: Value): Value {
	if (typeof path !== 'string') {
		return getItem(value, path);
	}
	return path
		.split('.')
		.reduce<Value>((at, part) => (at instanceof Undefined ? at : getItem(at, /^\d+$/.test(part) ? Number(part) : part)), value);
}

function findItem(owner: Value, key: Value): Value | undefined {
	if (owner instanceof Dict) {
		return owner.get(toDictKey(key));
	}
	if (owner instanceof Members) {
		return typeof key === 'string' ? owner.member(key) : undefined;
	}
	if (typeof owner !== 'string' && !Array.isArray(owner)) {
		return undefined;
	}
	if (typeof key === 'string' && owner instanceof Tuple && owner.names.includes(key)) {
		return owner[owner.names.indexOf(key)];
	}
	if (!isNumber(key) || isFloat(key)) {
		return undefined;
	}
	const index = toNumber(key);
	// strings are indexed by code points
	return typeof owner === 'string' ? [...owner].at(index) : owner.at(index);
}

function findMethod(owner: Value, name: string): Value | undefined {
	const bindMethod = <T>(methods: ReadonlyMap<string, { call: (owner: T, ...rest: never[]) => Value; quick: boolean }>, value: T) => {
		const found = methods.get(name);
		return found && new Callable(name, args => (found.call as (owner: T, args: unknown) => Value)(value, args), found.quick);
	};
	if (typeof owner === 'string') {
		return bindMethod(textMethods, owner);
	}
	if (owner instanceof Dict) {
		return bindMethod(dictMethods, owner);
	}
	return Array.isArray(owner) ? bindMethod(listMethods, owner) : undefined;
}
