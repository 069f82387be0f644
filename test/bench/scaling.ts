import type { BenchTable } from './harness/table.ts';
import { gatewayCapacity } from './scaling/gatewayCapacity.ts';
import { queues } from './scaling/queues.ts';
import { storeGrowth } from './scaling/storeGrowth.ts';
import { suiteRate } from './scaling/suiteRate.ts';
import { closeStores } from './store/filledStore.ts';
import { closeBenchRuns } from './suites/benchSuite.ts';

/** The numbers of docs/scaling.md. Its limits are far away: a miss means that the page is wrong. */
export const table: BenchTable = {
	name: 'scaling',
	measures: [gatewayCapacity, suiteRate, queues, storeGrowth],
	async close() {
		await closeStores();
		await closeBenchRuns();
	},
};
