import { attributeOf } from '../members.ts';
import { applied } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { equal, order } from '../values/comparisons.ts';
import { intOf } from '../values/numbers.ts';
import { operators } from '../values/operators.ts';
import { printed } from '../values/printing.ts';
import { Dict, isTrue, itemsOf, Tuple, typeName, Undefined, type Value } from '../values/values.ts';

/** Maximum number of parts that a list is split into. */
const maxParts = 10_000;

/** Filters for lists. Strings are treated as lists of characters, undefined values as empty lists. */
export const listFilters = [
	...['length', 'count'].map(name => applied(name, {}, length, true)),
	applied('list', {}, value => [...itemsOf(value)], true),
	applied('first', {}, value => at(value, 0), true),
	applied('last', {}, value => at(value, -1), true),
	applied('random', {}, value => at(value, Math.floor(Math.random() * Math.max(1, itemsOf(value).length))), true),
	applied('reverse', {}, value => (typeof value === 'string' ? [...value].reverse().join('') : [...itemsOf(value)].reverse()), true),
	applied('join', { d: '', attribute: null }, join, true),
	applied('sum', { attribute: null, start: 0 }, sum, true),
	applied('min', { case_sensitive: false, attribute: null }, (value, ...rest) => extreme(value, -1, 'min', rest), true),
	applied('max', { case_sensitive: false, attribute: null }, (value, ...rest) => extreme(value, 1, 'max', rest), true),
	applied('sort', { reverse: false, case_sensitive: false, attribute: null }, sort, true),
	applied('unique', { case_sensitive: false, attribute: null }, unique, true),
	applied('batch', { linecount: undefined, fill_with: null }, batch, true),
	applied('slice', { slices: undefined, fill_with: null }, slice),
	applied('groupby', { attribute: undefined, default: new Undefined(), case_sensitive: false }, groupBy),
	applied('dictsort', { case_sensitive: false, by: 'key', reverse: false }, dictSort, true),
	applied('items', {}, pairs, true),
] as const;

function length(value: Value): number {
	return value instanceof Dict ? value.size : itemsOf(value).length;
}

function at(value: Value, index: number): Value {
	const found = itemsOf(value).at(index);
	return found === undefined ? new Undefined() : found;
}

function join(value: Value, between?: Value, attribute?: Value): string {
	return itemsOf(value)
		.map(item => printed(attribute === null ? item : attributeOf(item, attribute as Value)))
		.join(printed(between as Value));
}

function sum(value: Value, attribute?: Value, start?: Value): Value {
	const plus = operators['+'] as (left: Value, right: Value) => Value;
	return itemsOf(value)
		.map(item => (attribute === null ? item : attributeOf(item, attribute as Value)))
		.reduce<Value>(plus, start as Value);
}

/** Returns a function that gets an item's sort key: the item or one of its attributes, with strings in lower case unless case matters. */
function keyFor(attribute: Value, caseSensitive: Value): (item: Value) => Value {
	const lowered = (value: Value) => (typeof value === 'string' && !isTrue(caseSensitive) ? value.toLowerCase() : value);
	if (typeof attribute === 'string' && attribute.includes(',')) {
		const parts = attribute.split(',');
		return item => parts.map(part => lowered(attributeOf(item, part.trim())));
	}
	return item => lowered(attribute === null ? item : attributeOf(item, attribute));
}

function extreme(value: Value, sign: number, name: string, [caseSensitive, attribute]: readonly Value[]): Value {
	const key = keyFor(attribute as Value, caseSensitive as Value);
	const items = itemsOf(value);
	if (items.length === 0) {
		return new Undefined(`${name} of an empty sequence`);
	}
	return items.reduce((best, item) => (sign * order(sign < 0 ? '<' : '>', key(item), key(best)) > 0 ? item : best));
}

function sorted(items: readonly Value[], key: (item: Value) => Value, reverse: Value): Value[] {
	const sign = isTrue(reverse) ? -1 : 1;
	return items
		.map(item => ({ item, by: key(item) }))
		.sort((a, b) => sign * order('<', a.by, b.by))
		.map(({ item }) => item);
}

function sort(value: Value, reverse?: Value, caseSensitive?: Value, attribute?: Value): Value {
	return sorted(itemsOf(value), keyFor(attribute as Value, caseSensitive as Value), reverse as Value);
}

function unique(value: Value, caseSensitive?: Value, attribute?: Value): Value {
	const key = keyFor(attribute as Value, caseSensitive as Value);
	const texts = new Set<Value>();
	const others: Value[] = [];
	return itemsOf(value).filter(item => {
		const by = key(item);
		const isKnown = typeof by === 'string' ? texts.has(by) : others.some(other => equal(other, by));
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

function batch(value: Value, count?: Value, fill?: Value): Value {
	const size = Math.max(1, intOf(count as Value, 'batch'));
	const items = itemsOf(value);
	const rows: Value[][] = Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
		items.slice(index * size, (index + 1) * size),
	);
	const last = rows.at(-1);
	if (last && fill !== null) {
		last.push(...Array.from({ length: Math.min(size - last.length, maxParts) }, () => fill as Value));
	}
	return rows;
}

function slice(value: Value, slices?: Value, fill?: Value): Value {
	const items = itemsOf(value);
	const count = Math.min(Math.max(1, intOf(slices as Value, 'slice')), maxParts);
	const size = Math.floor(items.length / count);
	const longer = items.length % count;
	return Array.from({ length: count }, (_, index) => {
		const from = index * size + Math.min(index, longer);
		const part = items.slice(from, from + size + (index < longer ? 1 : 0));
		return fill !== null && index >= longer ? [...part, fill as Value] : part;
	});
}

/** Groups items by a value. Returns pairs of the value and its items, ordered by value. */
function groupBy(value: Value, attribute?: Value, other?: Value, caseSensitive?: Value): Value {
	const grouperOf = (item: Value): Value => {
		const found = attribute === null ? item : attributeOf(item, attribute as Value);
		return found instanceof Undefined ? (other as Value) : found;
	};
	const key = keyFor(null, caseSensitive as Value);
	const rows = sorted(itemsOf(value), item => key(grouperOf(item)), false);
	const groups: Tuple[] = [];
	for (const item of rows) {
		const group = groups.at(-1);
		if (group && equal(key(group[0] as Value), key(grouperOf(item)))) {
			(group[1] as Value[]).push(item);
		} else {
			const added = Tuple.of2(grouperOf(item), [item]);
			added.names = ['grouper', 'list'];
			groups.push(added);
		}
	}
	return groups;
}

function dictSort(value: Value, caseSensitive?: Value, by?: Value, reverse?: Value): Value {
	if (by !== 'key' && by !== 'value') {
		throw new TemplateError('You can only sort by either "key" or "value"');
	}
	const key = keyFor(by === 'key' ? 0 : 1, caseSensitive as Value);
	return sorted(pairs(value) as Value[], key, reverse as Value);
}

/** Returns the entries of a dict as pairs. */
function pairs(value: Value): Value {
	if (value instanceof Undefined) {
		return [];
	}
	if (!(value instanceof Dict)) {
		throw new TemplateError(`Can only get item pairs from a mapping, not '${typeName(value)}'`);
	}
	return Array.from(value, ([key, item]) => Tuple.of2(key, item));
}
