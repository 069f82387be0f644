import http from 'node:http';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { sampleMedians } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { createTemplateChain } from './agents.ts';

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
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		const { baseUrl, apiKey } = gateway;
		const sendRequest = (path: string, body?: unknown) => sendAndReceive(agent, new URL(path, baseUrl), apiKey, body);
		const body = { model: 'five', inputs: {}, response_mode: 'streaming', user: 'bench' };
		const runAgentOnce = async () => {
			const { ms, text } = await sendRequest('/v1/agent/workflows/run', body);
			if (!text.includes('"event":"workflow_finished"') || !text.includes('"status":"succeeded"')) {
				throw new Error(`the run did not succeed: ${text.slice(-500)}`);
			}
			return ms;
		};
		const series = await inRounds({ warmUp: 1, rounds }, async () => {
			const costs = await sampleMedians({ run: runAgentOnce, empty: async () => (await sendRequest('/healthz')).ms }, runs);
			return { values: { 'empty request': (costs.run - costs.empty) / costs.empty }, costs };
		});
		agent.destroy();
		return series;
	},
};

/** Stops the gateway of the measure. */
export async function stopGateway(): Promise<void> {
	await gateway?.endProcess();
	await cleanUpGateways();
}

function sendAndReceive(agent: http.Agent, url: URL, key: string, body: unknown): Promise<{ readonly ms: number; readonly text: string }> {
	const text = body === undefined ? '' : JSON.stringify(body);
	const began = performance.now();
	return new Promise((resolve, reject) => {
		const request = http.request(url, {
			agent,
			method: body === undefined ? 'GET' : 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
		});
		request.on('error', reject);
		request.on('response', response => {
			const chunks: Buffer[] = [];
			response.on('data', chunk => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => resolve({ ms: performance.now() - began, text: Buffer.concat(chunks).toString() }));
		});
		request.end(text);
	});
}
