import { getAttribute } from '../members.ts';
import { defineFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { compareValues, isEqual } from '../values/comparisons.ts';
import { requireInteger } from '../values/numbers.ts';
import { operators } from '../values/operators.ts';
import { toPrintedText } from '../values/printing.ts';
import { Dict, getTypeName, isTruthy, listItems, Tuple, Undefined, type Value } from '../values/values.ts';

/** Maximum number of parts that a list is split into. */
const maxParts = 10_000;

/** Filters for lists. Strings are treated as lists of characters, undefined values as empty lists. */
export const listFilters = [
	...['length', 'count'].map(name => defineFunction(name, {}, countItems, true)),
	defineFunction('list', {}, value => [...listItems(value)], true),
	defineFunction('first', {}, value => getItemAt(value, 0), true),
	defineFunction('last', {}, value => getItemAt(value, -1), true),
	defineFunction('random', {}, value => getItemAt(value, Math.floor(Math.random() * Math.max(1, listItems(value).length))), true),
	defineFunction(
		'reverse',
		{},
		value => (typeof value === 'string' ? [...value].reverse().join('') : [...listItems(value)].reverse()),
		true,
	),
	defineFunction('join', { d: '', attribute: null }, joinItems, true),
	defineFunction('sum', { attribute: null, start: 0 }, sumItems, true),
	defineFunction('min', { case_sensitive: false, attribute: null }, (value, ...rest) => findExtreme(value, -1, 'min', rest), true),
	defineFunction('max', { case_sensitive: false, attribute: null }, (value, ...rest) => findExtreme(value, 1, 'max', rest), true),
	defineFunction('sort', { reverse: false, case_sensitive: false, attribute: null }, sortByAttribute, true),
	defineFunction('unique', { case_sensitive: false, attribute: null }, removeDuplicates, true),
	defineFunction('batch', { linecount: undefined, fill_with: null }, splitIntoBatches, true),
	defineFunction('slice', { slices: undefined, fill_with: null }, sliceIntoParts),
	defineFunction('groupby', { attribute: undefined, default: new Undefined(), case_sensitive: false }, groupItemsBy),
	defineFunction('dictsort', { case_sensitive: false, by: 'key', reverse: false }, sortDictEntries, true),
	defineFunction('items', {}, listDictEntries, true),
] as const;

function countItems(value: Value): number {
	return value instanceof Dict ? value.size : listItems(value).length;
}

function getItemAt(value: Value, index: number): Value {
	const found = listItems(value).at(index);
	return found === undefined ? new Undefined() : found;
}

function joinItems(value: Value, between?: Value, attribute?: Value): string {
	return listItems(value)
		.map(item => toPrintedText(attribute === null ? item : getAttribute(item, attribute as Value)))
		.join(toPrintedText(between as Value));
}

function sumItems(value: Value, attribute?: Value, start?: Value): Value {
	const plus = operators['+'] as (left: Value, right: Value) => Value;
	return listItems(value)
		.map(item => (attribute === null ? item : getAttribute(item, attribute as Value)))
		.reduce<Value>(plus, start as Value);
}

/** Returns a function that gets an item's sort key: the item or one of its attributes, with strings in lower case unless case matters. */
function createKeyReader(attribute: Value, caseSensitive: Value): (item: Value) => Value {
	const toLowerUnlessSensitive = (value: Value) => (typeof value === 'string' && !isTruthy(caseSensitive) ? value.toLowerCase() : value);
	if (typeof attribute === 'string' && attribute.includes(',')) {
		const parts = attribute.split(',');
		return item => parts.map(part => toLowerUnlessSensitive(getAttribute(item, part.trim())));
	}
	return item => toLowerUnlessSensitive(attribute === null ? item : getAttribute(item, attribute));
}

function findExtreme(value: Value, sign: number, name: string, [caseSensitive, attribute]: readonly Value[]): Value {
	const key = createKeyReader(attribute as Value, caseSensitive as Value);
	const items = listItems(value);
	if (items.length === 0) {
		return new Undefined(`${name} of an empty sequence`);
	}
	return items.reduce((best, item) => (sign * compareValues(sign < 0 ? '<' : '>', key(item), key(best)) > 0 ? item : best));
}

function sortItems(items: readonly Value[], key: (item: Value) => Value, reverse: Value): Value[] {
	const sign = isTruthy(reverse) ? -1 : 1;
	return items
		.map(item => ({ item, by: key(item) }))
		.sort((a, b) => sign * compareValues('<', a.by, b.by))
		.map(({ item }) => item);
}

function sortByAttribute(value: Value, reverse?: Value, caseSensitive?: Value, attribute?: Value): Value {
	return sortItems(listItems(value), createKeyReader(attribute as Value, caseSensitive as Value), reverse as Value);
}

function removeDuplicates(value: Value, caseSensitive?: Value, attribute?: Value): Value {
	const key = createKeyReader(attribute as Value, caseSensitive as Value);
	const texts = new Set<Value>();
	const others: Value[] = [];
	return listItems(value).filter(item => {
		const by = key(item);
		const isKnown = typeof by === 'string' ? texts.has(by) : others.some(other => isEqual(other, by));
		if (!isKnown) {
			if (typeof by === 'string') {
				texts.add(by);
			} else {
				others.push(by);
			}
		}
		return !isKnown;
	});
}

function splitIntoBatches(value: Value, count?: Value, fill?: Value): Value {
	const size = Math.max(1, requireInteger(count as Value, 'batch'));
	const items = listItems(value);
	const rows: Value[][] = Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
		items.slice(index * size, (index + 1) * size),
	);
	const last = rows.at(-1);
	if (last && fill !== null) {
		last.push(...Array.from({ length: Math.min(size - last.length, maxParts) }, () => fill as Value));
	}
	return rows;
}

function sliceIntoParts(value: Value, slices?: Value, fill?: Value): Value {
	const items = listItems(value);
	const count = Math.min(Math.max(1, requireInteger(slices as Value, 'slice')), maxParts);
	const size = Math.floor(items.length / count);
	const longer = items.length % count;
	return Array.from({ length: count }, (_, index) => {
		const from = index * size + Math.min(index, longer);
		const part = items.slice(from, from + size + (index < longer ? 1 : 0));
		return fill !== null && index >= longer ? [...part, fill as Value] : part;
	});
}

/** Groups items by a value. Returns pairs of the value and its items, ordered by value. */
function groupItemsBy(value: Value, attribute?: Value, other?: Value, caseSensitive?: Value): Value {
	const getGroupKey = (item: Value): Value => {
		const found = attribute === null ? item : getAttribute(item, attribute as Value);
		return found instanceof Undefined ? (other as Value) : found;
	};
	const key = createKeyReader(null, caseSensitive as Value);
	const rows = sortItems(listItems(value), item => key(getGroupKey(item)), false);
	const groups: Tuple[] = [];
	for (const item of rows) {
		const group = groups.at(-1);
		if (group && isEqual(key(group[0] as Value), key(getGroupKey(item)))) {
			(group[1] as Value[]).push(item);
		} else {
			const added = Tuple.create(getGroupKey(item), [item]);
			added.names = ['grouper', 'list'];
			groups.push(added);
		}
	}
	return groups;
}

function sortDictEntries(value: Value, caseSensitive?: Value, by?: Value, reverse?: Value): Value {
	if (by !== 'key' && by !== 'value') {
		throw new TemplateError('You can only sort by either "key" or "value"');
	}
	const key = createKeyReader(by === 'key' ? 0 : 1, caseSensitive as Value);
	return sortItems(listDictEntries(value) as Value[], key, reverse as Value);
}

/** Returns the entries of a dict as pairs. */
function listDictEntries(value: Value): Value {
	if (value instanceof Undefined) {
		return [];
	}
	if (!(value instanceof Dict)) {
		throw new TemplateError(`Can only get item pairs from a mapping, not '${getTypeName(value)}'`);
	}
	return Array.from(value, ([key, item]) => Tuple.create(key, item));
}
