import type { Applied } from '../signature.ts';
import type { Value } from '../values/values.ts';
import { listFilters } from './listFilters.ts';
import { pickFilters } from './pickFilters.ts';
import { textFilters } from './textFilters.ts';
import { valueFilters } from './valueFilters.ts';

/** Filters by name. */
export const filters: ReadonlyMap<string, Applied> = new Map([
	...textFilters,
	...valueFilters,
	...listFilters,
	...pickFilters(name => filters.get(name)),
]);

const itemFilters = new Set([
	'map',
	'select',
	'reject',
	'selectattr',
	'rejectattr',
	'unique',
	'sort',
	'min',
	'max',
	'sum',
	'join',
	'batch',
	'slice',
	'groupby',
]);

/** Whether a filter does something with each item, which takes far longer than an item is long. */
export function worksOnItems(name: string): boolean {
	return itemFilters.has(name);
}

/** Whether a filter takes no longer than what it is given and gives is long. `map` takes as long as the filter that it applies to each item. */
export function isQuick(name: string, [applied]: readonly Value[]): boolean {
	const isApplied = name === 'map' && typeof applied === 'string';
	return filters.get(name)?.quick === true && (!isApplied || (filters.get(applied)?.quick === true && !worksOnItems(applied)));
}
