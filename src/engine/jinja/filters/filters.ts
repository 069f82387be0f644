import type { Applied } from '../signature.ts';
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
