import assert from 'node:assert/strict';
import { createGreetingAgent } from '../contract/gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { chooseSize } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const size = chooseSize(1_000_000, 9_900_000);
const repeatPart = (part: string) => part.repeat(size / part.length);

describe('oversized agent files', () => {
	afterEach(cleanUpGateways);

	it('are refused with a message, and the other files are served', async () => {
		const agents = {
			keys: Array.from({ length: size / 12 }, (_, i) => `key${i}: 1`).join('\n'),
			list: `[${repeatPart('1,')}]`,
			brackets: repeatPart('['),
			marks: repeatPart('- '),
			aliases: `a: &a 1\n${repeatPart('b: *a\n')}`,
			good: createGreetingAgent(),
		};
		const gateway = await startGateway({ agents });
		const began = performance.now();
		const { json } = await gateway.send('GET', '/v1/agent/agents');
		assert.ok(performance.now() - began < chooseSize(60_000, 10_000));
		for (const { name, error } of json.data as readonly { name: string; error: string | null }[]) {
			assert.match(String(error), name === 'good' ? /^null$/ : /The file has .*, the limit for agent files/, name);
		}
		const run = await gateway.send('POST', '/v1/agent/workflows/run', {
			model: 'good',
			inputs: { name: 'Ana' },
			response_mode: 'blocking',
			user: 'ana',
		});
		assert.equal(run.json.data.status, 'succeeded');
	});
});

describe('a folder of 3,000 agent files', () => {
	afterEach(cleanUpGateways);

	for (const [what, ask] of [
		['list', (gateway: GatewayProcess) => gateway.send('GET', '/v1/agent/agents')],
		['search for an unknown agent', (gateway: GatewayProcess) => gateway.send('GET', '/v1/agent/parameters?model=nobody')],
	] as const) {
		it(`delays no caller while a ${what} reads all of them for the first time`, async () => {
			const agents = Object.fromEntries(
				Array.from({ length: chooseSize(500, 3_000) }, (_, i) => [`agent-${i}`, createGreetingAgent(`Word ${i}`)]),
			);
			const gateway = await startGateway({ agents });
			await gateway.send('GET', '/v1/agent/agents/agent-0/published'); // loads the engine
			const health = startProbe(gateway, 0);
			const { status, json } = await ask(gateway);
			const answered = health.times.length;
			const longest = await health.stop();
			assert.equal(json.data?.length ?? status, what === 'list' ? chooseSize(500, 3_000) : 404);
			assert.ok(answered >= 20, `${answered} health checks answered meanwhile, the longest in ${Math.round(longest)} ms`);
			assert.ok(longest < patienceMs, `${Math.round(longest)} ms`);
		});
	}
});
