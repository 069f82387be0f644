import assert from 'node:assert/strict';
import { difyClient } from '../../../src/client/dify/difyClient.ts';
import { carryOutNewApp, planNewApp } from '../../../src/dify/newApp.ts';
import { carryOutPublish, planPublish } from '../../../src/dify/publishPlan.ts';
import { startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createTemplateChain } from '../engine/agents.ts';
import { measureWallMs, sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createBenchRuns } from './benchSuite.ts';

/** Number of rows per batch, of batches per round (the median counts) and of concurrent rows. */
const rows = 200;
const batches = 3;
const concurrency = 8;

/**
 * Starts two gateways that have an agent of the same name. One runs the agent file itself. The other routes the agent to a fake deployment,
 * where the file was pushed and published and runs behind Dify's service API.
 */
async function startBothGateways() {
	const text = createTemplateChain(3);
	const published = await exportPublishedFile(text);
	const there = await startGateway({ agents: { five: published } });
	const base_url = `${there.baseUrl}/dify/five/v1`;
	const routed = await startGateway({ config: { agents: { five: { dify: { base_url, key: 'five' } } } }, keys: { five: there.apiKey } });
	const own = await startGateway({ agents: { five: text } });
	return { here: createBenchRuns(own.baseUrl, own.apiKey), there: createBenchRuns(routed.baseUrl, routed.apiKey) };
}

/** Returns the file as the deployment exports it after publishing. */
async function exportPublishedFile(text: string): Promise<string> {
	const fake = await startDifyDeployment({ release: '1.18.0', rateLimit: 1000 });
	try {
		const network = { environment: {} };
		const management = difyClient.openManagement({
			deployment: await difyClient.detectDeployment(fake.origin, { network }),
			session: { kind: 'device', token: fake.sessions.issueToken().token, expiresAt: undefined, email: undefined },
			workspaceId: fake.workspace.id,
			network,
			onSession: () => {},
		});
		const made = await carryOutNewApp(await planNewApp({ management, text }), { management });
		assert.ok(made.kind === 'done', JSON.stringify(made));
		const outcome = await carryOutPublish(await planPublish({ management, link: made.link }), { management, name: 'bench', comment: '' });
		assert.equal(outcome.kind, 'done');
		return (await management.exportApp(made.link.app_id)).text;
	} finally {
		await fake.stop();
	}
}

/** Runs one suite on a local agent, and on the same agent name routed to a deployment. Fails unless all rows pass on both. */
export const hereAndThere: Measure = {
	name: 'hereAndThere',
	measure: `rows per second of a suite with concurrency ${concurrency} on a deployment behind the gateway, over the same on this machine`,
	unit: '×',
	costUnit: 'rows/s',
	limits: { 'this machine': { least: 0.4 } },
	async run(inRounds) {
		const { here, there } = await startBothGateways();
		const measureRowRate = async (runs: ReturnType<typeof createBenchRuns>) =>
			rows / ((await measureWallMs(() => runs.runSuite(rows, concurrency))) / 1000);
		return inRounds({ warmUp: 1, rounds: 5 }, async () => {
			const costs = await sampleMedians({ here: () => measureRowRate(here), there: () => measureRowRate(there) }, batches);
			return { values: { 'this machine': costs.there / costs.here }, costs };
		});
	},
};
