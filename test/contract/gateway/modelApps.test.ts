import assert from 'node:assert/strict';
import { waitUntil } from '../../support/waitUntil.ts';
import { createModelApp, createPortableAgent } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

const form = [{ 'text-input': { variable: 'name', label: 'Name', required: true, max_length: 8 } }];
const createWordRules = (keywords: string) => ({
	sensitive_word_avoidance: {
		enabled: true,
		type: 'keywords',
		config: {
			keywords,
			inputs_config: { enabled: true, preset_response: 'Not asked.' },
			outputs_config: { enabled: true, preset_response: 'Not said.' },
		},
	},
});

describe('apps without a graph (model_config)', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({
			agents: {
				helper: createModelApp('chat', {
					pre_prompt: 'You help {{name}}.',
					user_input_form: form,
					opening_statement: 'Hello {{name}}, {{else}}.',
					suggested_questions: ['What now?'],
					file_upload: { enabled: true, number_limits: 2, allowed_file_types: ['image'] },
					retriever_resource: { enabled: true },
				}),
				writer: createModelApp('completion', { pre_prompt: 'Write of {{name}}.', user_input_form: form }),
				careful: createModelApp('chat', createWordRules('forbidden')),
				silent: createModelApp('chat', createWordRules('language model')),
				counter: createModelApp('agent-chat', {
					pre_prompt: 'You count.',
					agent_mode: {
						enabled: true,
						strategy: 'function_call',
						max_iteration: 3,
						tools: [{ enabled: true, provider_type: 'builtin', provider_id: 'maths', tool_name: 'eval_expression', tool_parameters: {} }],
					},
				}),
				portable: createPortableAgent(),
				slow: createModelApp('chat', { pre_prompt: '[offline: tokens=1000 delay=60000]' }),
				slowWriter: createModelApp('completion', { pre_prompt: '[offline: tokens=1000 delay=60000]' }),
				broken: createModelApp('chat', { pre_prompt: '[offline: error=429]' }),
				brokenWriter: createModelApp('completion', { pre_prompt: '[offline: error=429]' }),
			},
		});
	});
	after(cleanUpGateways);

	const postRequest = (path: string, body: object) =>
		gateway.send('POST', `/v1/agent/${path}`, { user: 'ana', inputs: {}, response_mode: 'blocking', ...body });
	const openStream = (path: string, body: object) =>
		gateway.openStream(`/v1/agent/${path}`, { user: 'ana', inputs: {}, response_mode: 'streaming', ...body });

	it('are listed with their mode and inputs', async () => {
		const { data } = (await gateway.send('GET', '/v1/agent/agents')).json;
		const findAgent = (name: string) => data.find((agent: { name: string }) => agent.name === name);
		assert.equal(findAgent('helper').mode, 'chat');
		assert.equal(findAgent('writer').mode, 'completion');
		assert.equal(findAgent('helper').error, null);
		assert.deepEqual(findAgent('helper').variables, [
			{ variable: 'name', label: 'Name', type: 'text-input', required: true, max_length: 8, options: [] },
		]);
	});

	it('return their form, opening statement, questions and file settings', async () => {
		const parameters = (await gateway.send('GET', '/v1/agent/parameters?model=helper')).json;
		assert.equal(parameters.opening_statement, 'Hello {{name}}, {{else}}.');
		assert.deepEqual(parameters.suggested_questions, ['What now?']);
		assert.equal(parameters.user_input_form[0]['text-input'].variable, 'name');
		assert.equal(parameters.file_upload.number_limits, 2);
		assert.equal(parameters.retriever_resource.enabled, true);
		assert.equal(parameters.sensitive_word_avoidance.enabled, false);
		assert.equal((await gateway.send('GET', '/v1/agent/parameters?model=careful')).json.sensitive_word_avoidance.enabled, true);
		assert.equal((await gateway.send('GET', '/v1/agent/info?model=writer')).json.mode, 'completion');
	});

	it('answer a chat and remember its messages', async () => {
		const first = (await postRequest('chat-messages', { model: 'helper', query: 'One', inputs: { name: 'Ana' } })).json;
		assert.deepEqual([first.event, first.mode], ['message', 'chat']);
		assert.match(first.answer, /You wrote: "One"\. The system prompt has 14 characters\./);
		assert.equal(first.metadata.usage.total_tokens, first.metadata.usage.prompt_tokens + first.metadata.usage.completion_tokens);
		assert.ok(first.metadata.usage.completion_tokens > 5);
		const second = (await postRequest('chat-messages', { model: 'helper', query: 'Two', conversation_id: first.conversation_id })).json;
		assert.equal(second.conversation_id, first.conversation_id);
		assert.ok(second.metadata.usage.prompt_tokens > first.metadata.usage.prompt_tokens, 'the first turn goes along');
		const { data } = (await gateway.send('GET', '/v1/agent/conversations?model=helper&user=ana')).json;
		assert.equal(data[0].introduction, 'Hello Ana, {{else}}.');
		const messages = (await gateway.send('GET', `/v1/agent/messages?model=helper&user=ana&conversation_id=${first.conversation_id}`)).json;
		assert.deepEqual(
			messages.data.map(({ query }: { query: string }) => query),
			['One', 'Two'],
		);
		const logs = (await gateway.send('GET', '/v1/agent/workflows/logs?model=helper&keyword=One')).json;
		assert.ok(logs.total >= 1);
		const detail = (await gateway.send('GET', `/v1/agent/workflows/run/${logs.data.at(-1).workflow_run.id}?model=helper`)).json;
		assert.equal(detail.status, 'succeeded');
	});

	it('stream chat messages and message_end without node events', async () => {
		const events = await (
			await openStream('chat-messages', { model: 'helper', query: 'Hi', inputs: { name: 'Ana' } })
		).readRemainingEvents();
		assert.deepEqual([...new Set(events.map(({ event }) => event))], ['message', 'message_end']);
		assert.ok(events.every(event => event['message_id'] && event['conversation_id'] && event['task_id'] && event['created_at']));
		assert.ok(events.every(event => event['workflow_run_id'] === undefined));
		assert.ok(events.slice(0, -1).every(event => event['answer'] !== '' && event['id'] === event['message_id']));
		const { usage, retriever_resources } = events.at(-1)?.['metadata'] ?? {};
		assert.deepEqual(retriever_resources, []);
		assert.deepEqual([typeof usage.prompt_tokens, usage.currency, usage.total_price], ['number', 'USD', '0']);
	});

	it('keep the text of a stopped chat turn and continue its conversation', async () => {
		const running = await openStream('chat-messages', { model: 'slow', query: 'Hi', user: 'stopper' });
		const { data } = await waitUntil('the turn', async () => {
			const { json } = await gateway.send('GET', '/v1/agent/conversations?model=slow&user=stopper');
			return json.data.length > 0 ? json : undefined;
		});
		const { json } = await gateway.send('GET', `/v1/agent/messages?model=slow&user=stopper&conversation_id=${data[0].id}`);
		const run = json.data[0].workflow_run_id;
		assert.ok(run);
		// the first message arrives only after a minute, so the task ID is taken from the events of the run
		const follow = await gateway.openFollowStream(`/v1/agent/workflows/run/${run}/events?model=slow`);
		const { task_id: task } = await follow.waitForEvent('workflow_started');
		assert.equal((await postRequest(`chat-messages/${task}/stop`, { model: 'slow', user: 'eve' })).status, 403);
		assert.deepEqual((await postRequest(`chat-messages/${task}/stop`, { model: 'slow', user: 'stopper' })).json, { result: 'success' });
		assert.deepEqual(
			(await running.readRemainingEvents()).map(({ event }) => event),
			['message_end'],
		);
		await follow.cancel();
	});

	it("refuse invalid chat inputs with Dify's messages", async () => {
		const missing = await postRequest('chat-messages', { model: 'helper', query: 'Hi' });
		assert.deepEqual([missing.status, missing.json.code, missing.json.message], [400, 'invalid_param', 'name is required in input form']);
		const long = await postRequest('chat-messages', { model: 'helper', query: 'Hi', inputs: { name: 'much too long' } });
		assert.equal(long.json.message, 'name in input form must be less than 8 characters');
		assert.equal((await postRequest('chat-messages', { model: 'helper', query: '' })).status, 400);
		assert.equal((await postRequest('completion-messages', { model: 'helper' })).json.code, 'app_unavailable');
		assert.equal((await postRequest('workflows/run', { model: 'helper' })).json.code, 'not_workflow_app');
		assert.equal((await postRequest('chat-messages', { model: 'writer', query: 'Hi' })).json.code, 'not_chat_app');
		assert.equal((await gateway.send('GET', '/v1/agent/conversations?model=writer&user=ana')).json.code, 'not_chat_app');
	});

	it('save queries and answers of a chat', async () => {
		const asked = (await postRequest('chat-messages', { model: 'careful', query: 'The FORBIDDEN thing' })).json;
		assert.equal(asked.answer, 'Not asked.');
		const events = await (await openStream('chat-messages', { model: 'silent', query: 'Hi' })).readRemainingEvents();
		const replaced = events.find(({ event }) => event === 'message_replace');
		assert.deepEqual([replaced?.['answer'], replaced?.['reason']], ['Not said.', 'output_moderation']);
		assert.equal(events.at(-1)?.event, 'message_end');
		assert.ok(
			!events
				.filter(({ event }) => event === 'message')
				.map(event => event['answer'])
				.join('')
				.includes('language model'),
		);
		const conversation = events[0]?.['conversation_id'];
		const { data } = (await gateway.send('GET', `/v1/agent/messages?model=silent&user=ana&conversation_id=${conversation}`)).json;
		assert.equal(data[0].answer, 'Not said.');
	});

	it('report a failure as an error of the chat turn', async () => {
		const blocking = await postRequest('chat-messages', { model: 'broken', query: 'Hi' });
		assert.deepEqual([blocking.status, blocking.json.code], [400, 'completion_request_error']);
		const events = await (await openStream('chat-messages', { model: 'broken', query: 'Hi' })).readRemainingEvents();
		assert.deepEqual(
			events.map(({ event }) => event),
			['error'],
		);
		assert.match(events[0]?.['message'], /429/);
	});

	it("stream thoughts and text of an agent chat, which can't block", async () => {
		const blocking = await postRequest('chat-messages', { model: 'counter', query: 'Hi' });
		assert.deepEqual([blocking.status, blocking.json.message], [400, 'Agent Chat App does not support blocking mode']);
		const events = await (
			await openStream('chat-messages', { model: 'counter', query: 'Please call eval_expression' })
		).readRemainingEvents();
		assert.deepEqual([...new Set(events.map(({ event }) => event))].sort(), ['agent_message', 'agent_thought', 'message_end']);
		const thoughts = events.filter(({ event }) => event === 'agent_thought');
		assert.ok(thoughts.some(thought => thought['tool'] === 'eval_expression' && thought['observation'] !== ''));
		assert.ok(thoughts.every(thought => thought['message_id'] && thought['conversation_id'] && thought['position'] > 0 && thought['id']));
		const conversation = events[0]?.['conversation_id'];
		const { data } = (await gateway.send('GET', `/v1/agent/messages?model=counter&user=ana&conversation_id=${conversation}`)).json;
		assert.equal(data[0].agent_thoughts.length, new Set(thoughts.map(thought => thought['id'])).size);
		assert.equal(data[0].agent_thoughts[0].message_id, data[0].id);
	});

	it('list a portable agent and answer with the agent in its file', async () => {
		const { data: listed } = (await gateway.send('GET', '/v1/agent/agents')).json;
		const { mode, error } = listed.find((agent: { name: string }) => agent.name === 'portable');
		assert.deepEqual([mode, error], ['agent', null]);
		const { answer, conversation_id: conversation } = (await postRequest('chat-messages', { model: 'portable', query: 'Hi' })).json;
		assert.match(answer, /You wrote: "Hi"\. The system prompt has 10 characters\./);
		const again = { model: 'portable', query: 'Please call eval_expression', conversation_id: conversation };
		const events = await (await openStream('chat-messages', again)).readRemainingEvents();
		assert.deepEqual([...new Set(events.map(({ event }) => event))].sort(), ['agent_message', 'agent_thought', 'message_end']);
		assert.ok(events.at(-1)?.['metadata'].usage.total_tokens > 0);
		assert.equal((await postRequest('workflows/run', { model: 'portable' })).json.code, 'not_workflow_app');
	});

	it('answer a completion, blocking and streamed, without a conversation', async () => {
		const { status, json } = await postRequest('completion-messages', { model: 'writer', inputs: { name: 'rain' } });
		assert.equal(status, 200);
		assert.deepEqual(
			[json.event, json.mode, json.id === json.message_id, json.conversation_id],
			['message', 'completion', true, undefined],
		);
		assert.match(json.answer, /You wrote: "Write of rain\."/);
		const events = await (await openStream('completion-messages', { model: 'writer', inputs: { name: 'rain' } })).readRemainingEvents();
		assert.deepEqual([...new Set(events.map(({ event }) => event))], ['message', 'message_end']);
		assert.equal(events.map(event => event['answer'] ?? '').join(''), json.answer);
		assert.ok(events.every(event => event['message_id'] && event['task_id'] && event['conversation_id'] === undefined));
		const queried = (await postRequest('completion-messages', { model: 'writer', inputs: { name: 'rain' }, query: 'Shorter' })).json;
		assert.match(queried.answer, /You wrote: "Shorter"\. The system prompt has 15 characters\./);
		assert.equal((await postRequest('completion-messages', { model: 'writer' })).json.message, 'name is required in input form');
		assert.equal((await postRequest('completion-messages', { model: 'brokenWriter' })).json.code, 'completion_request_error');
	});

	it('run a completion like a workflow', async () => {
		const { json } = await postRequest('workflows/run', { model: 'writer', inputs: { name: 'rain' } });
		assert.equal(json.data.status, 'succeeded');
		assert.match(json.data.outputs.answer, /Write of rain/);
		const events = await (await openStream('workflows/run', { model: 'writer', inputs: { name: 'rain' } })).readRemainingEvents();
		assert.ok(events.some(({ event }) => event === 'text_chunk'));
	});

	it('stop a completion', async () => {
		const running = await openStream('completion-messages', { model: 'slowWriter' });
		const { data } = await waitUntil('the turn', async () => {
			const { json } = await gateway.send('GET', '/v1/agent/workflows/logs?model=slowWriter');
			return json.data.length > 0 ? json : undefined;
		});
		const follow = await gateway.openFollowStream(`/v1/agent/workflows/run/${data[0].workflow_run.id}/events?model=slowWriter`);
		const { task_id: task } = await follow.waitForEvent('workflow_started');
		assert.deepEqual((await postRequest(`completion-messages/${task}/stop`, { model: 'slowWriter' })).json, { result: 'success' });
		assert.deepEqual(
			(await running.readRemainingEvents()).map(({ event }) => event),
			['message_end'],
		);
		await follow.cancel();
	});

	it("report which file can't be loaded and why", async () => {
		const { json } = await gateway.send('POST', '/v1/agent/agents/helper/check', {
			source: createModelApp('chat', { prompt_type: 'odd' }),
		});
		assert.equal(json.faults[0].path, 'model_config.prompt_type');
		assert.ok(json.faults[0].line > 1);
	});
});
