import { agentFolder } from './gateway/agentFolder.ts';
import { closeContestants } from './gateway/contestants.ts';
import { fairness, stopFairnessGateways } from './gateway/fairness.ts';
import { pipelined, translated } from './gateway/floods.ts';
import { events, firstEvent, latency, openAi, throughput } from './gateway/passthrough.ts';
import { memory, start } from './gateway/process.ts';
import { tlsConnections } from './gateway/tls.ts';
import type { BenchTable } from './harness/table.ts';

/** The budget table "Gateway": dist/gateway.js as it is shipped, compared with a minimal undici passthrough and Portkey. */
export const table: BenchTable = {
	name: 'gateway',
	measures: [throughput, latency, firstEvent, events, openAi, tlsConnections, memory, start, fairness, pipelined, translated, agentFolder],
	async close() {
		await closeContestants();
		await stopFairnessGateways();
	},
};
