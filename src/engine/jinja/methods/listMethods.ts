import { type Applied, defineFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { compareValues, isEqual } from '../values/comparisons.ts';
import { requireInteger } from '../values/numbers.ts';
import { isTruthy, listItems, Tuple, type Value } from '../values/values.ts';

const changing = [
	defineFunction('append', { object: undefined }, (list: Value[], item) => returnNone(list.push(item as Value)), true),
	defineFunction('extend', { iterable: undefined }, (list: Value[], more) => returnNone(list.push(...listItems(more as Value))), true),
	defineFunction(
		'insert',
		{ index: undefined, object: undefined },
		(list: Value[], at, item) => returnNone(list.splice(requireInteger(at as Value, 'insert'), 0, item as Value)),
		true,
	),
	defineFunction('pop', { index: -1 }, popListItem, true),
	defineFunction(
		'remove',
		{ value: undefined },
		(list: Value[], item) => returnNone(list.splice(findItemIndex(list, item as Value), 1)),
		true,
	),
	defineFunction('clear', {}, (list: Value[]) => returnNone(list.splice(0)), true),
	defineFunction('reverse', {}, (list: Value[]) => returnNone(list.reverse()), true),
	defineFunction(
		'sort',
		{ reverse: false },
		(list: Value[], reverse) => returnNone(list.sort((a, b) => (isTruthy(reverse as Value) ? -1 : 1) * compareValues('<', a, b))),
		true,
	),
	defineFunction('copy', {}, (list: Value[]) => [...list], true),
] as const;

/** Methods of Python's lists. Tuples have those that don't modify the list. */
export const listMethods: ReadonlyMap<string, Applied<Value[]>> = new Map<string, Applied<Value[]>>([
	...changing.map(([name, { call, quick }]) => [name, { call: defineListMethod(name, call), quick }] as const),
	defineFunction('index', { value: undefined }, (list: Value[], item) => findItemIndex(list, item as Value), true),
	defineFunction('count', { value: undefined }, (list: Value[], item) => list.filter(each => isEqual(each, item as Value)).length, true),
]);

function defineListMethod(name: string, call: Applied<Value[]>['call']): Applied<Value[]>['call'] {
	return (list, args) => {
		if (list instanceof Tuple) {
			throw new TemplateError(`'tuple' object has no attribute '${name}'`);
		}
		return call(list, args);
	};
}

function returnNone(_: unknown): null {
	return null;
}

function popListItem(list: Value[], at?: Value): Value {
	const index = requireInteger(at as Value, 'pop');
	const [taken] = list.splice(index < 0 ? index + list.length : index, 1);
	if (taken === undefined) {
		throw new TemplateError(list.length === 0 ? 'pop from empty list' : 'pop index out of range');
	}
	return taken;
}

function findItemIndex(list: readonly Value[], item: Value): number {
	const at = list.findIndex(each => isEqual(each, item));
	if (at < 0) {
		throw new TemplateError('the value is not in list');
	}
	return at;
}
