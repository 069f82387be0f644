import assert from 'node:assert/strict';
import { createGraphFile, startData } from './formAgents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('an agent with several triggers', () => {
	let gateway: GatewayProcess;
	before(async () => {
		const several = createGraphFile(
			'workflow',
			{
				hook: { type: 'trigger-webhook' },
				start: startData,
				end: {
					type: 'end',
					outputs: [
						{ variable: 'hook', value_selector: ['hook', 'what'] },
						{ variable: 'start', value_selector: ['start', 'name'] },
					],
				},
			},
			['hook > end', 'start > end'],
		);
		gateway = await startGateway({ agents: { several } });
	});
	after(cleanUpGateways);

	const runTriggeredAgent = (more: object) =>
		gateway.send('POST', '/v1/agent/workflows/run', { model: 'several', user: 'ana', response_mode: 'blocking', inputs: {}, ...more });

	it('starts with the trigger that the request names, or else with the first', async () => {
		assert.deepEqual((await runTriggeredAgent({ inputs: { what: 'push' } })).json.data.outputs, { hook: 'push', start: null });
		const named = await runTriggeredAgent({ trigger: 'start', inputs: { name: 'Ana', what: 'push' } });
		assert.deepEqual(named.json.data.outputs, { hook: null, start: 'Ana' });
		assert.equal((await runTriggeredAgent({ trigger: 'start' })).json.message, 'name is required in input form');
	});

	it('refuses an unknown trigger and lists the known ones', async () => {
		for (const trigger of ['end', 'none', '__proto__']) {
			const { status, json } = await runTriggeredAgent({ trigger });
			assert.deepEqual([status, json.params], [400, 'trigger']);
			assert.equal(json.message, `The agent has no start node or trigger '${trigger}'. Expected one of 'hook', 'start'.`);
		}
		assert.equal((await runTriggeredAgent({ trigger: 7 })).status, 400);
	});
});
