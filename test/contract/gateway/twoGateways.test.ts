import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createGreetingAgent } from './agents.ts';
import { cleanUpGateways, createAgentsFolder, createTemporaryFolder, launchGateway, startGateway } from './gatewayProcess.ts';

/** Starts gateways on one data folder at the same time. Resolves to the ready lines of those that serve it. */
async function race(data: string, agents: string, count: number) {
	const launched = Array.from({ length: count }, () =>
		launchGateway(['--port', '0', '--data', data, '--agents', agents, '--ready-json', '--log', 'json']),
	);
	const ready = launched.map(
		({ child, ended }) =>
			new Promise<{ readonly base_url: string; readonly api_key: string } | number | null>(resolve => {
				let text = '';
				child.stdout.on('data', (chunk: Buffer) => {
					text += chunk;
					if (text.includes('\n')) {
						resolve(JSON.parse(text));
					}
				});
				void ended.then(({ code }) => resolve(code));
			}),
	);
	const outcomes = await Promise.all(ready);
	return { launched, outcomes };
}

describe('gateways that start on one data folder at the same time', () => {
	afterEach(cleanUpGateways);

	it('agree on one server and one key', async function () {
		this.timeout(120_000);
		const agents = createAgentsFolder({ greeter: createGreetingAgent() });
		for (let round = 0; round < 4; round++) {
			const data = createTemporaryFolder();
			const { launched, outcomes } = await race(data, agents, 5);
			const serving = outcomes.filter(each => typeof each === 'object' && each !== null);
			assert.equal(serving.length, 1, JSON.stringify(outcomes));
			assert.ok(outcomes.every(each => typeof each === 'object' || each === 3));
			const key = fs.readFileSync(path.join(data, 'gateway.key'), 'utf8').trim();
			assert.equal(serving[0]?.api_key, key);
			const headers = { authorization: `Bearer ${key}` };
			assert.equal((await fetch(`${serving[0]?.base_url}/v1/agent/agents`, { headers })).status, 200);
			for (const { child } of launched) {
				child.kill('SIGKILL');
			}
			await Promise.all(launched.map(({ ended }) => ended));
			const left = fs.readdirSync(data).filter(name => /\.tmp$|\.\d+$/.test(name));
			assert.deepEqual(left, []);
		}
	});
});

describe('two gateways on one folder of agents', () => {
	afterEach(cleanUpGateways);

	it('both serve every version of an agent that changes, and neither a half one', async function () {
		this.timeout(120_000);
		const agents = createAgentsFolder({ greeter: createGreetingAgent() });
		const both = await Promise.all([1, 2].map(() => startGateway({ flags: ['--agents', agents] })));
		const file = path.join(agents, 'greeter.yml');
		const text = fs.readFileSync(file, 'utf8');
		const run = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana', response_mode: 'blocking' };
		for (let version = 0; version < 30; version++) {
			fs.writeFileSync(`${file}.new`, `${text}# version ${version}\n`);
			fs.renameSync(`${file}.new`, file);
			const answers = await Promise.all(both.flatMap(gateway => [1, 2].map(() => gateway.send('POST', '/v1/agent/workflows/run', run))));
			assert.deepEqual(
				answers.map(({ status, json }) => [status, json?.data?.status]),
				answers.map(() => [200, 'succeeded']),
			);
		}
	});
});
