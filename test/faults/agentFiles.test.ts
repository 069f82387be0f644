import assert from 'node:assert/strict';
import { greeter } from '../contract/gateway/agents.ts';
import { cleanUp, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { sized } from './support/long.ts';

const size = sized(1_000_000, 9_900_000);
const filled = (part: string) => part.repeat(size / part.length);

describe('agent files that are made to be too much', () => {
	afterEach(cleanUp);

	it('are refused in a sentence, and those beside them are served', async () => {
		const agents = {
			keys: Array.from({ length: size / 12 }, (_, i) => `key${i}: 1`).join('\n'),
			list: `[${filled('1,')}]`,
			brackets: filled('['),
			marks: filled('- '),
			aliases: `a: &a 1\n${filled('b: *a\n')}`,
			good: greeter(),
		};
		const gateway = await startGateway({ agents });
		const began = performance.now();
		const { json } = await gateway.agent('GET', '/v1/agent/agents');
		assert.ok(performance.now() - began < sized(60_000, 10_000));
		for (const { name, error } of json.data as readonly { name: string; error: string | null }[]) {
			assert.match(String(error), name === 'good' ? /^null$/ : /the file has .* more than an agent file can have/, name);
		}
		const run = await gateway.agent('POST', '/v1/agent/workflows/run', {
			model: 'good',
			inputs: { name: 'Ana' },
			response_mode: 'blocking',
			user: 'ana',
		});
		assert.equal(run.json.data.status, 'succeeded');
	});
});
