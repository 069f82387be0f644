import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createFormNode, createGraphFile, startData } from './formAgents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

/** Creates an agent that returns the length of a secret in its file. If `asks` is set, the agent pauses for a form first. */
function createSecretLengthAgent(value: string, asks = false): string {
	const tell = {
		type: 'template-transform',
		template: '{{ k | length }} {{ k }}',
		variables: [{ variable: 'k', value_selector: ['env', 'KEY'] }],
	};
	const length = {
		type: 'code',
		code_language: 'javascript',
		code: 'function main({ k }) { return { n: k.length }; }',
		variables: tell.variables,
		outputs: { n: { type: 'number' } },
	};
	return createGraphFile(
		'workflow',
		{
			start: { ...startData, variables: [] },
			...(asks && { ask: createFormNode({ form_content: 'Go on?', inputs: [] }) }),
			tell,
			length,
			end: { type: 'end', outputs: [{ variable: 'n', value_selector: ['length', 'n'] }] },
		},
		[...(asks ? ['start > ask', 'ask [ok] > tell'] : ['start > tell']), 'tell > length', 'length > end'],
		{ environment_variables: [{ id: 'k', name: 'KEY', value_type: 'secret', value }] },
	);
}

/** Creates a chat that saves a secret in a conversation variable, pauses, and returns the variable's length. */
function createSecretChat(): string {
	const selector = ['conversation', 'kept'];
	return createGraphFile(
		'advanced-chat',
		{
			start: { type: 'start', variables: [] },
			make: {
				type: 'template-transform',
				template: '{"Bearer": "{{ k }}"}',
				variables: [{ variable: 'k', value_selector: ['env', 'KEY'] }],
			},
			keep: {
				type: 'assigner',
				version: '2',
				items: [{ variable_selector: selector, input_type: 'variable', operation: 'over-write', value: ['make', 'output'] }],
			},
			ask: createFormNode({ form_content: 'Go on?', inputs: [] }),
			tell: {
				type: 'template-transform',
				template: '{{ made | length }} {{ kept | length }} {{ query }}',
				variables: [
					{ variable: 'made', value_selector: ['make', 'output'] },
					{ variable: 'kept', value_selector: selector },
					{ variable: 'query', value_selector: ['sys', 'query'] },
				],
			},
			answer: { type: 'answer', answer: '{{#tell.output#}}' },
		},
		['start > make', 'make > keep', 'keep > ask', 'ask [ok] > tell', 'tell > answer'],
		{
			environment_variables: [{ id: 'k', name: 'KEY', value_type: 'secret', value: '' }],
			conversation_variables: [{ id: 'v', name: 'kept', value_type: 'string', value: '' }],
		},
	);
}

describe('secrets without a value in an agent file', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({
			agents: {
				empty: createSecretLengthAgent(''),
				// biome-ignore lint/suspicious/noTemplateCurlyInString: syntax of agent files
				named: createSecretLengthAgent('${env:TEST_AGENT_KEY}'),
				// biome-ignore lint/suspicious/noTemplateCurlyInString: syntax of agent files
				missing: createSecretLengthAgent('${env:TEST_OTHER_KEY}'),
				// biome-ignore lint/suspicious/noTemplateCurlyInString: syntax of agent files
				forbidden: createSecretLengthAgent('${env:HOME}'),
				written: createSecretLengthAgent('sk-in-the-file'),
				configured: createSecretLengthAgent('', true),
			},
			config: { engine: { environment: ['TEST_*'] }, agents: { configured: { secrets: { KEY: 'of-agent' } } } },
			keys: { 'of-agent': 'sk-configured-one' },
			env: { TEST_AGENT_KEY: 'sk-environment' },
		});
	});
	after(cleanUpGateways);

	const runAgent = async (model: string) => {
		const stream = await gateway.openStream('/v1/agent/workflows/run', { model, inputs: {}, user: 'ana', response_mode: 'streaming' });
		const events = await stream.readRemainingEvents();
		return { n: events.at(-1)?.['data']?.outputs?.n as number | undefined, raw: stream.getReceivedText(), events };
	};
	const sendSecrets = (name: string, body: unknown) => gateway.send('POST', `/v1/agent/agents/${name}/secrets`, body);
	const fetchAgentFile = async (name: string) => {
		const { json } = await gateway.send('GET', '/v1/agent/agents');
		return json.data.find((agent: { name: string }) => agent.name === name).file as string;
	};

	it('come from a client, bound to the file, and are masked like those in the file', async () => {
		assert.equal((await runAgent('empty')).n, 0);
		const values = { KEY: 'sk-given-by-client' };
		const other = await sendSecrets('empty', { file: await fetchAgentFile('named'), values });
		assert.deepEqual([other.status, (await runAgent('empty')).n], [409, 0]);
		assert.equal((await sendSecrets('nobody', { file: 'x', values })).status, 404);
		assert.deepEqual((await sendSecrets('empty', { file: await fetchAgentFile('empty'), values })).json, { result: 'success' });
		const { n, raw } = await runAgent('empty');
		assert.equal(n, values.KEY.length);
		assert.ok(!raw.includes(values.KEY), raw);
		assert.ok(raw.includes('***'));
		assert.ok(!gateway.getLog().includes(values.KEY));
	});

	it('are limited in number and must be strings', async () => {
		const file = await fetchAgentFile('empty');
		const many = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, `value ${i}`]));
		for (const values of [many, { KEY: 'x'.repeat(32_769) }, { KEY: {} }, ['x']]) {
			assert.equal((await sendSecrets('empty', { file, values })).status, 400);
		}
	});

	it('come from the environment if the configuration allows it', async () => {
		const { n, raw } = await runAgent('named');
		assert.equal(n, 'sk-environment'.length);
		assert.ok(!raw.includes('sk-environment'));
		assert.match(
			(await runAgent('missing')).raw,
			/"TEST_OTHER_KEY"|'TEST_OTHER_KEY', which isn't set\. Start the gateway with this variable\./,
		);
		assert.match((await runAgent('forbidden')).raw, /'HOME', which agents aren't allowed to read\. Add it to 'engine\.environment'/);
	});

	it('come from the keys that the configuration names, even after a pause', async () => {
		const { events } = await runAgent('configured');
		const token = events.find(({ event }) => event === 'human_input_required')?.['data'].form_token;
		await gateway.send('POST', `/v1/agent/form/human_input/${token}`, { inputs: {}, action: 'ok', user: 'ana' });
		const id = events[0]?.['workflow_run_id'];
		const stream = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=configured&user=ana`);
		assert.equal((await stream.readRemainingEvents()).at(-1)?.['data'].outputs.n, 'sk-configured-one'.length);
		assert.ok(!stream.getReceivedText().includes('sk-configured-one'));
	});

	it('never replace a value in the file', async () => {
		await sendSecrets('written', { file: await fetchAgentFile('written'), values: { KEY: 'sk-another-value-for-it' } });
		assert.equal((await runAgent('written')).n, 'sk-in-the-file'.length);
	});
});

describe('secrets that nodes used before a run pauses', () => {
	const secret = 'sk-"kept" of the run';
	const start = {
		agents: { keeper: createSecretChat() },
		config: { agents: { keeper: { secrets: { KEY: 'of-agent' } } } },
		keys: { 'of-agent': secret },
	};
	const forms = [secret, JSON.stringify(secret).slice(1, -1), JSON.stringify(JSON.stringify(secret)).slice(3, -3)];
	after(cleanUpGateways);

	const findStoredSecrets = (data: string) => {
		const files = fs.readdirSync(data).filter(name => name.startsWith('gateway.db'));
		assert.ok(files.includes('gateway.db'));
		const bytes = Buffer.concat(files.map(name => fs.readFileSync(path.join(data, name))));
		return forms.filter(form => bytes.includes(form));
	};

	it("aren't written to the store, and are available again after the pause and in the next turn", async () => {
		let gateway = await startGateway(start);
		const query = '⟦0 KEY⟧';
		let conversation = '';
		for (let turn = 0; turn < 2; turn++) {
			const body = { model: 'keeper', query, inputs: {}, user: 'ana', response_mode: 'streaming', conversation_id: conversation };
			const events = await (await gateway.openStream('/v1/agent/chat-messages', body)).readRemainingEvents();
			const token = events.find(({ event }) => event === 'human_input_required')?.['data'].form_token;
			conversation = events[0]?.['conversation_id'];
			assert.deepEqual(findStoredSecrets(gateway.data), []);
			const { data } = gateway;
			await gateway.endProcess('SIGKILL');
			gateway = await startGateway({ ...start, data });
			const id = events[0]?.['workflow_run_id'];
			const stream = await gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=keeper&user=ana`);
			await gateway.send('POST', `/v1/agent/form/human_input/${token}`, { inputs: {}, action: 'ok', user: 'ana' });
			await stream.readRemainingEvents();
			const messages = await gateway.send('GET', `/v1/agent/messages?model=keeper&user=ana&conversation_id=${conversation}`);
			const length = `{"Bearer": "${secret}"}`.length;
			assert.equal(messages.json.data.at(-1).answer, `${length} ${length} ${query}`);
			assert.deepEqual(findStoredSecrets(gateway.data), []);
		}
	});
});
