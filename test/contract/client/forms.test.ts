import assert from 'node:assert/strict';
import type { ServiceClient } from '#client/client.ts';
import { isEvent } from '#contract/events.ts';
import { createFormAgent, createFormChat } from '../gateway/formAgents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';
import { collectItems, createShippedClient } from './shippedClient.ts';

const owner = { model: 'asker', user: 'ana' };
const answer = { ...owner, inputs: { note: 'fine' }, action: 'ok' };

describe('client with forms of the gateway', () => {
	let gateway: GatewayProcess;
	let client: ServiceClient;
	before(async () => {
		gateway = await startGateway({ agents: { asker: createFormAgent(), chat: createFormChat() } });
		client = createShippedClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: gateway.apiKey } });
	});
	after(async () => {
		await client.close();
		await cleanUpGateways();
	});

	it('answers a paused run and follows it to its end', async () => {
		const events = await collectItems(client.streamWorkflow({ ...owner, inputs: { name: 'Ana' } }));
		const last = events.at(-1)!;
		assert.ok(isEvent(last, 'workflow_paused'));
		const required = events.find(event => isEvent(event, 'human_input_required'))!;
		const token = required.data.form_token!;
		const form = await client.getForm(token, owner);
		assert.deepEqual([form.resolved_default_values, form.user_actions[0]!.id], [{ note: 'Ana' }, 'ok']);
		await assert.rejects(client.submitForm(token, { ...answer, action: 'maybe' }), {
			code: 'invalid_form_data',
			reason: 'invalid-request',
		});
		await client.submitForm(token, answer);
		const rest = await collectItems(client.followRun(last.workflow_run_id, { ...owner, include_state_snapshot: false }));
		assert.ok(rest.some(event => isEvent(event, 'human_input_form_filled')));
		assert.equal((rest.at(-1) as { data?: { outputs?: { note?: string } } }).data?.outputs?.note, 'fine');
		await assert.rejects(client.getForm(token, owner), { code: 'human_input_form_submitted', status: 412 });
		await assert.rejects(client.getForm('none', owner), { reason: 'not-found' });
	});

	it('answers a paused chat turn and follows it to its end', async () => {
		const chat = { model: 'chat', user: 'ana' };
		const events = await collectItems(client.streamChatMessage({ ...chat, inputs: {}, query: 'tea' }));
		const last = events.at(-1) as { event: string; workflow_run_id?: string; data?: { reasons?: { form_token?: string }[] } };
		assert.equal(last.event, 'workflow_paused');
		await client.submitForm(last.data!.reasons![0]!.form_token!, { ...answer, model: 'chat' });
		const rest = await collectItems(client.followChatMessage(last.workflow_run_id!, chat));
		assert.equal(rest.at(-1)!.event, 'message_end');
	});

	it('sends secrets for the file that the list names', async () => {
		const file = (await client.listAgents()).find(({ name }) => name === 'asker')!.file!;
		assert.equal((await client.setAgentSecrets('asker', { file, values: {} })).result, 'success');
		await assert.rejects(client.setAgentSecrets('asker', { file: 'elsewhere', values: {} }), { status: 409 });
	});
});
