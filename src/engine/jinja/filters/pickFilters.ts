import { getAttribute } from '../members.ts';
import { type Applied, defineRestFunction } from '../signature.ts';
import { TemplateError } from '../templateError.ts';
import { tests } from '../tests.ts';
import { type Arguments, isTruthy, listItems, Undefined, type Value } from '../values/values.ts';

/** Creates the filters that apply another filter or a test by name. */
export function createPickFilters(filterNamed: (name: string) => Applied | undefined) {
	return [
		defineRestFunction('map', (value: Value, args) => mapItems(value, args, filterNamed), true),
		defineRestFunction('select', (value: Value, args) => pickItems(value, args, true, false), true),
		defineRestFunction('reject', (value: Value, args) => pickItems(value, args, false, false), true),
		defineRestFunction('selectattr', (value: Value, args) => pickItems(value, args, true, true), true),
		defineRestFunction('rejectattr', (value: Value, args) => pickItems(value, args, false, true), true),
	] as const;
}

/** Implements `map('upper')` and `map(attribute='x', default='')`. */
function mapItems(value: Value, { positional, named }: Arguments, filterNamed: (name: string) => Applied | undefined): Value {
	const [name, ...rest] = positional;
	const attribute = named.get('attribute');
	if (name === undefined && attribute !== undefined) {
		const other = named.get('default');
		return listItems(value).map(item => {
			const found = getAttribute(item, attribute);
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
	return listItems(value).map(item => filter.call(item, { positional: rest, named }));
}

/** Selects the items that pass or fail a test, which is applied to the item or to one of its attributes. */
function pickItems(value: Value, { positional }: Arguments, wanted: boolean, byAttribute: boolean): Value {
	const [attribute, name, ...rest] = byAttribute ? positional : [null, ...positional];
	if (attribute === undefined) {
		throw new TemplateError('Missing parameter for attribute name');
	}
	const test = name === undefined ? isTruthy : tests.get(String(name));
	if (!test) {
		throw new TemplateError(`No test named '${name}'`);
	}
	return listItems(value).filter(item => test(byAttribute ? getAttribute(item, attribute) : item, ...rest) === wanted);
}
