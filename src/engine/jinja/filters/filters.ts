import type { Applied } from '../signature.ts';
import type { Value } from '../values/values.ts';
import { listFilters } from './listFilters.ts';
import { createPickFilters } from './pickFilters.ts';
import { textFilters } from './textFilters.ts';
import { valueFilters } from './valueFilters.ts';

/** Filters by name. */
export const filters: ReadonlyMap<string, Applied> = new Map([
	...textFilters,
	...valueFilters,
	...listFilters,
	...createPickFilters(name => filters.get(name)),
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

/** True if a filter processes each item, which costs far more than the item's length. */
export function isItemFilter(name: string): boolean {
	return itemFilters.has(name);
}

/**
 * True if a filter's time is proportional to the size of its arguments and result. For `map` this depends on the filter that it applies.
 */
export function isQuickFilter(name: string, [applied]: readonly Value[]): boolean {
	const isApplied = name === 'map' && typeof applied === 'string';
	return filters.get(name)?.quick === true && (!isApplied || (filters.get(applied)?.quick === true && !isItemFilter(applied)));
}
