import { TemplateError } from './templateError.ts';
import type { Arguments, Value } from './values/values.ts';

/** A filter or method, applied to a value. `quick` is true if its time is proportional to the size of its arguments and result. */
export interface Applied<T = Value> {
	readonly call: (owner: T, args: Arguments) => Value;
	readonly quick: boolean;
}

/** Parameter names with their default values; `undefined` marks a required parameter. */
type Parameters = Readonly<Record<string, Value | undefined>>;

/** Declares a filter or method with these parameters, which can be passed by position or by name. */
export function defineFunction<T = Value>(
	name: string,
	parameters: Parameters,
	call: (owner: T, ...values: Value[]) => Value,
	quick = false,
): readonly [string, Applied<T>] {
	return [name, { call: (owner, args) => call(owner, ...bindArguments(name, parameters, args)), quick }];
}

/** Declares a filter or method that accepts any arguments. */
export function defineRestFunction<T = Value>(
	name: string,
	call: (owner: T, args: Arguments) => Value,
	quick = false,
): readonly [string, Applied<T>] {
	return [name, { call, quick }];
}

/** Returns the values of all parameters in order. @throws {TemplateError} for too many, unknown or missing arguments */
export function bindArguments(name: string, parameters: Parameters, { positional, named }: Arguments): Value[] {
	const names = Object.keys(parameters);
	if (positional.length > names.length) {
		throw new TemplateError(`${name}() takes at most ${names.length} arguments (${positional.length} given)`);
	}
	const unknown = [...named.keys()].find(each => !names.includes(each));
	if (unknown !== undefined) {
		throw new TemplateError(`${name}() got an unexpected keyword argument '${unknown}'`);
	}
	return names.map((each, index) => {
		const given = index < positional.length ? positional[index] : named.get(each);
		const value = given === undefined ? parameters[each] : given;
		if (value === undefined) {
			throw new TemplateError(`${name}() missing the argument '${each}'`);
		}
		return value;
	});
}
