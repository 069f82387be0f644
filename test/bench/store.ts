import type { BenchTable } from './harness/table.ts';
import { closeStores } from './store/filledStore.ts';
import { killed } from './store/killed.ts';
import { pages } from './store/pages.ts';
import { recording } from './store/recording.ts';
import { search } from './store/search.ts';
import { shortKeywords } from './store/shortKeywords.ts';

/** The budget table "Store". */
export const table: BenchTable = {
	name: 'store',
	measures: [pages, search, shortKeywords, recording, killed],
	close: closeStores,
};
