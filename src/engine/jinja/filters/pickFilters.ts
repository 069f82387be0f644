import { attributeOf } from '../members.ts';
import { type Applied, appliedToAll } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { tests } from '../tests.ts';
import { type Arguments, isTrue, itemsOf, Undefined, type Value } from '../values/values.ts';

/** Filters that take the names of other filters and of tests. */
export function pickFilters(filterNamed: (name: string) => Applied | undefined) {
	return [
		appliedToAll('map', (value: Value, args) => mapped(value, args, filterNamed), true),
		appliedToAll('select', (value: Value, args) => picked(value, args, true, false), true),
		appliedToAll('reject', (value: Value, args) => picked(value, args, false, false), true),
		appliedToAll('selectattr', (value: Value, args) => picked(value, args, true, true), true),
		appliedToAll('rejectattr', (value: Value, args) => picked(value, args, false, true), true),
	] as const;
}

/** `map('upper')`, `map(attribute='x', default='')`. */
function mapped(value: Value, { positional, named }: Arguments, filterNamed: (name: string) => Applied | undefined): Value {
	const [name, ...rest] = positional;
	const attribute = named.get('attribute');
	if (name === undefined && attribute !== undefined) {
		const other = named.get('default');
		return itemsOf(value).map(item => {
			const found = attributeOf(item, attribute);
			return found instanceof Undefined && other !== undefined ? other : found;
		});
	}
	if (typeof name !== 'string') {
		throw new TemplateError('map requires a filter argument');
	}
	const filter = filterNamed(name);
	if (!filter) {
		throw new TemplateError(`No filter named '${name}'`);
	}
	return itemsOf(value).map(item => filter.call(item, { positional: rest, named }));
}

/** Selects the items, or the items with an attribute, for which a test holds or doesn't hold. */
function picked(value: Value, { positional }: Arguments, wanted: boolean, byAttribute: boolean): Value {
	const [attribute, name, ...rest] = byAttribute ? positional : [null, ...positional];
	if (attribute === undefined) {
		throw new TemplateError('Missing parameter for attribute name');
	}
	const test = name === undefined ? isTrue : tests.get(String(name));
	if (!test) {
		throw new TemplateError(`No test named '${name}'`);
	}
	return itemsOf(value).filter(item => test(byAttribute ? attributeOf(item, attribute) : item, ...rest) === wanted);
}
