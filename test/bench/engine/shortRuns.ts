import http from 'node:http';
import { cleanUp, type GatewayProcess, startGateway } from '../../contract/gateway/gatewayProcess.ts';
import { contest, median, quantile } from '../harness/contest.ts';
import type { Measure } from '../harness/table.ts';
import { templateChain } from './agents.ts';

const runs = 10_000;
const limit = 3;
let gateway: GatewayProcess | undefined;

/** Runs of five nodes (start, three templates, end) through the real gateway, one at a time; what a request costs that does nothing is the floor. */
export const shortRuns: Measure = {
	name: 'runs',
	measure: 'own cost of a run of 5 nodes, streamed to a client, p50 of 10,000',
	unit: 'ms',
	limit,
	async run() {
		gateway = await startGateway({ agents: { five: templateChain(3) } });
		const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
		const { baseUrl, apiKey } = gateway;
		const send = (path: string, body?: unknown) => exchange(agent, new URL(path, baseUrl), apiKey, body);
		const body = { model: 'five', inputs: {}, response_mode: 'streaming', user: 'bench' };
		const times: number[] = [];
		const oneRun = async () => {
			const { ms, text } = await send('/v1/agent/workflows/run', body);
			if (!text.includes('"event":"workflow_finished"') || !text.includes('"status":"succeeded"')) {
				throw new Error(`the run did not succeed: ${text.slice(-500)}`);
			}
			times.push(ms);
			return ms;
		};
		const { run, floor } = await contest({ run: oneRun, floor: async () => (await send('/healthz')).ms }, { warmUp: 200, rounds: runs });
		agent.destroy();
		const value = run - floor;
		return {
			value,
			ok: value <= limit,
			notes: [
				`request to its last byte: p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms; a request that does nothing ${floor.toFixed(2)} ms`,
			],
		};
	},
};

export async function stopGateway(): Promise<void> {
	await gateway?.end();
	await cleanUp();
}

function exchange(agent: http.Agent, url: URL, key: string, body: unknown): Promise<{ readonly ms: number; readonly text: string }> {
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
