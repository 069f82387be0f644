import { cleanUpGateways, type GatewayProcess, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createTemplateChain } from './agents.ts';
import { createCaller, runToEnd } from './gatewayRuns.ts';

/** Number of rounds, and of runs per round: 10,000 runs in total. The median of a round counts. */
const rounds = 10;
const runs = 1_000;

let gateway: GatewayProcess | undefined;

/**
 * Runs an agent of five nodes (start, three templates, end) on the real gateway, one run after another. The floor is a request to the
 * gateway that does nothing.
 */
export const shortRuns: Measure = {
	name: 'runs',
	measure: `cost of a run with 5 nodes, streamed to a client, p50 of ${rounds * runs}, over an empty request`,
	unit: '×',
	costUnit: 'ms',
	limits: { 'empty request': { most: 4 } },
	async run(inRounds) {
		gateway = await startGateway({ agents: { five: createTemplateChain(3) } });
		const caller = createCaller(gateway);
		const body = { model: 'five', inputs: {}, response_mode: 'streaming', user: 'bench' };
		const series = await inRounds({ warmUp: 1, rounds }, async () => {
			const costs = await sampleMedians(
				{ run: async () => (await runToEnd(caller, body)).ms, empty: async () => (await caller.sendRequest('GET', '/healthz')).ms },
				runs,
			);
			return { values: { 'empty request': (costs.run - costs.empty) / costs.empty }, costs };
		});
		caller.close();
		return series;
	},
};

/** Stops the gateway of the measure. */
export async function stopGateway(): Promise<void> {
	await gateway?.endProcess();
	await cleanUpGateways();
}
