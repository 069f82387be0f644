import { listEntries } from '../globals.ts';
import { type Applied, defineFunction, defineRestFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { toReprText } from '../values/printing.ts';
import { Dict, Tuple, toDictKey, type Value } from '../values/values.ts';

/** Methods of Python's dicts. */
export const dictMethods: ReadonlyMap<string, Applied<Dict>> = new Map<string, Applied<Dict>>([
	defineFunction('keys', {}, (dict: Dict) => [...dict.keys()], true),
	defineFunction('values', {}, (dict: Dict) => [...dict.values()], true),
	defineFunction('items', {}, (dict: Dict) => Array.from(dict, ([key, value]) => Tuple.create(key, value)), true),
	defineFunction(
		'get',
		{ key: undefined, default: null },
		(dict: Dict, key, other) => getValueOrDefault(dict.get(toDictKey(key as Value)), other as Value),
		true,
	),
	defineFunction('setdefault', { key: undefined, default: null }, setDefaultValue, true),
	defineFunction('copy', {}, (dict: Dict) => new Dict(dict), true),
	defineFunction(
		'clear',
		{},
		(dict: Dict) => {
			dict.clear();
			return null;
		},
		true,
	),
	defineFunction('popitem', {}, popLastEntry, true),
	defineRestFunction('pop', (dict: Dict, { positional: [key, other] }) => popDictKey(dict, key, other), true),
	defineRestFunction(
		'update',
		(dict: Dict, { positional: [more], named }) => {
			for (const [key, value] of [...(more === undefined ? [] : listEntries(more)), ...named]) {
				dict.set(key, value);
			}
			return null;
		},
		true,
	),
]);

function getValueOrDefault(value: Value | undefined, other: Value): Value {
	return value === undefined ? other : value;
}

function setDefaultValue(dict: Dict, key?: Value, other?: Value): Value {
	const name = toDictKey(key as Value);
	if (!dict.has(name)) {
		dict.set(name, other as Value);
	}
	return dict.get(name) as Value;
}

function popDictKey(dict: Dict, key: Value | undefined, other: Value | undefined): Value {
	const name = toDictKey(key === undefined ? null : key);
	const found = dict.get(name);
	const value = found === undefined ? other : found;
	if (value === undefined) {
		throw new TemplateError(`the dict has no key ${toReprText(name)}`);
	}
	dict.delete(name);
	return value;
}

function popLastEntry(dict: Dict): Value {
	const last = [...dict].at(-1);
	if (!last) {
		throw new TemplateError('popitem(): dictionary is empty');
	}
	dict.delete(last[0]);
	return Tuple.create(...last);
}
