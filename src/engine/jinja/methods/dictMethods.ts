import { entriesOf } from '../globals.ts';
import { type Applied, applied, appliedToAll } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { repr } from '../values/printing.ts';
import { Dict, keyOf, Tuple, type Value } from '../values/values.ts';

/** Methods of Python's dicts. */
export const dictMethods: ReadonlyMap<string, Applied<Dict>> = new Map<string, Applied<Dict>>([
	applied('keys', {}, (dict: Dict) => [...dict.keys()], true),
	applied('values', {}, (dict: Dict) => [...dict.values()], true),
	applied('items', {}, (dict: Dict) => Array.from(dict, ([key, value]) => Tuple.of2(key, value)), true),
	applied('get', { key: undefined, default: null }, (dict: Dict, key, other) => or(dict.get(keyOf(key as Value)), other as Value), true),
	applied('setdefault', { key: undefined, default: null }, setDefault, true),
	applied('copy', {}, (dict: Dict) => new Dict(dict), true),
	applied(
		'clear',
		{},
		(dict: Dict) => {
			dict.clear();
			return null;
		},
		true,
	),
	applied('popitem', {}, popItem, true),
	appliedToAll('pop', (dict: Dict, { positional: [key, other] }) => pop(dict, key, other), true),
	appliedToAll(
		'update',
		(dict: Dict, { positional: [more], named }) => {
			for (const [key, value] of [...(more === undefined ? [] : entriesOf(more)), ...named]) {
				dict.set(key, value);
			}
			return null;
		},
		true,
	),
]);

function or(value: Value | undefined, other: Value): Value {
	return value === undefined ? other : value;
}

function setDefault(dict: Dict, key?: Value, other?: Value): Value {
	const name = keyOf(key as Value);
	if (!dict.has(name)) {
		dict.set(name, other as Value);
	}
	return dict.get(name) as Value;
}

function pop(dict: Dict, key: Value | undefined, other: Value | undefined): Value {
	const name = keyOf(key === undefined ? null : key);
	const found = dict.get(name);
	const value = found === undefined ? other : found;
	if (value === undefined) {
		throw new TemplateError(`the dict has no key ${repr(name)}`);
	}
	dict.delete(name);
	return value;
}

function popItem(dict: Dict): Value {
	const last = [...dict].at(-1);
	if (!last) {
		throw new TemplateError('popitem(): dictionary is empty');
	}
	dict.delete(last[0]);
	return Tuple.of2(...last);
}
