import { closeContestants } from './gateway/contestants.ts';
import { events, firstEvent, latency, throughput } from './gateway/passthrough.ts';
import { memoryIdle, memoryLoaded, start } from './gateway/process.ts';
import type { BenchTable } from './harness/table.ts';

/** The table "Gateway" of the budgets: dist/gateway.js as it is shipped, against a minimal undici passthrough and Portkey. */
export const table: BenchTable = {
	name: 'gateway',
	measures: [throughput, latency, firstEvent, events, memoryIdle, memoryLoaded, start],
	close: closeContestants,
};
