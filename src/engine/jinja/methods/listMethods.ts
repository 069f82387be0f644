import { type Applied, applied } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { equal, order } from '../values/comparisons.ts';
import { intOf } from '../values/numbers.ts';
import { isTrue, itemsOf, Tuple, type Value } from '../values/values.ts';

const changing = [
	applied('append', { object: undefined }, (list: Value[], item) => nothing(list.push(item as Value)), true),
	applied('extend', { iterable: undefined }, (list: Value[], more) => nothing(list.push(...itemsOf(more as Value))), true),
	applied(
		'insert',
		{ index: undefined, object: undefined },
		(list: Value[], at, item) => nothing(list.splice(intOf(at as Value, 'insert'), 0, item as Value)),
		true,
	),
	applied('pop', { index: -1 }, pop, true),
	applied('remove', { value: undefined }, (list: Value[], item) => nothing(list.splice(indexIn(list, item as Value), 1)), true),
	applied('clear', {}, (list: Value[]) => nothing(list.splice(0)), true),
	applied('reverse', {}, (list: Value[]) => nothing(list.reverse()), true),
	applied(
		'sort',
		{ reverse: false },
		(list: Value[], reverse) => nothing(list.sort((a, b) => (isTrue(reverse as Value) ? -1 : 1) * order('<', a, b))),
		true,
	),
	applied('copy', {}, (list: Value[]) => [...list], true),
] as const;

/** Methods of Python's lists. Tuples have those that don't modify. */
export const listMethods: ReadonlyMap<string, Applied<Value[]>> = new Map<string, Applied<Value[]>>([
	...changing.map(([name, { call, quick }]) => [name, { call: onList(name, call), quick }] as const),
	applied('index', { value: undefined }, (list: Value[], item) => indexIn(list, item as Value), true),
	applied('count', { value: undefined }, (list: Value[], item) => list.filter(each => equal(each, item as Value)).length, true),
]);

function onList(name: string, call: Applied<Value[]>['call']): Applied<Value[]>['call'] {
	return (list, args) => {
		if (list instanceof Tuple) {
			throw new TemplateError(`'tuple' object has no attribute '${name}'`);
		}
		return call(list, args);
	};
}

function nothing(_: unknown): null {
	return null;
}

function pop(list: Value[], at?: Value): Value {
	const index = intOf(at as Value, 'pop');
	const [taken] = list.splice(index < 0 ? index + list.length : index, 1);
	if (taken === undefined) {
		throw new TemplateError(list.length === 0 ? 'pop from empty list' : 'pop index out of range');
	}
	return taken;
}

function indexIn(list: readonly Value[], item: Value): number {
	const at = list.findIndex(each => equal(each, item));
	if (at < 0) {
		throw new TemplateError('the value is not in list');
	}
	return at;
}
