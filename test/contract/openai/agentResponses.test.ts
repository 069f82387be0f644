import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { checkResponse, readResponseStream } from '../../support/responseReader.ts';
import { createChatAgent, createFailingAgent, createGreetingAgent } from '../gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';
import { postBytes } from '../post.ts';

/** Fields that OpenAI's API doesn't define. Its SDKs send them unchanged. */
type Extra = Partial<ResponseCreateParamsNonStreaming> & Record<string, unknown>;

describe('agents as models of /v1/responses', () => {
	const agents = { greeter: createGreetingAgent(), chatter: createChatAgent(), failer: createFailingAgent() };
	const config = { agents_as_models: ['*'] };
	let gateway: GatewayProcess;
	let client: OpenAI;
	const createClient = () => new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });

	before(async () => {
		gateway = await startGateway({ agents, config });
		client = createClient();
	});
	after(cleanUpGateways);

	const createResponse = async (agent: string, input: string, extra: Extra = {}) => {
		const response = await client.responses.create({ model: `agent/${agent}`, input, ...extra });
		return { ...response, conversation: (response as unknown as Record<string, unknown>)['conversation_id'] };
	};

	it('continue their conversation from another response, even after a restart', async () => {
		const first = await createResponse('chatter', 'Hello', { user: 'ada', tools: [{ type: 'web_search' }] });
		checkResponse(first);
		assert.match(first.output_text, /^You said Hello \(turn 1\)/);
		assert.deepEqual([first.user, first.model, first.tools], ['ada', 'agent/chatter', []]);
		const second = await createResponse('chatter', 'And on', { previous_response_id: first.id });
		assert.match(second.output_text, /^You said And on \(turn 2\)/);
		assert.equal(second.conversation, first.conversation);
		const { data } = gateway;
		await gateway.endProcess();
		gateway = await startGateway({ agents, config, data });
		client = createClient();
		const third = await createResponse('chatter', 'And on', { previous_response_id: second.id });
		assert.match(third.output_text, /\(turn 3\)/);
		assert.equal(third.conversation, first.conversation);
		assert.deepEqual((await client.responses.retrieve(second.id)).output, second.output);
		const branch = await createResponse('chatter', 'Again', { conversation_id: String(first.conversation), user: 'ada' });
		assert.match(branch.output_text, /\(turn 4\)/);
		await assert.rejects(createResponse('chatter', 'x', { previous_response_id: first.id, user: 'another' }), { status: 404, code: null });
	});

	it('receive only the messages before the response that they continue', async () => {
		const first = await createResponse('chatter', 'Hello', { user: 'ada' });
		const second = await createResponse('chatter', 'And on', { previous_response_id: first.id });
		assert.match(second.output_text, /\(turn 2\)/);
		const other = await createResponse('chatter', 'Something else', { previous_response_id: first.id });
		assert.match(other.output_text, /\(turn 2\)/);
		const last = await createResponse('chatter', 'And on', { previous_response_id: other.id });
		assert.match(last.output_text, /\(turn 3\)/);
	});

	it('keep the messages of a conversation that began without responses', async () => {
		const begun = { model: 'chatter', query: 'Hello', inputs: {}, user: 'ada', response_mode: 'blocking' };
		const { json } = await gateway.send('POST', '/v1/agent/chat-messages', begun);
		const first = await createResponse('chatter', 'And on', { conversation_id: json.conversation_id, user: 'ada' });
		assert.match(first.output_text, /\(turn 2\)/);
		const second = await createResponse('chatter', 'And on', { previous_response_id: first.id });
		assert.match(second.output_text, /\(turn 3\)/);
	});

	it('receive the earlier messages that the first request contained', async () => {
		const message = (role: 'user' | 'assistant', content: string) => ({ type: 'message' as const, role, content });
		const input = [message('user', 'Hello'), message('assistant', 'Hi'), message('user', 'And on')];
		const first = await client.responses.create({ model: 'agent/chatter', input });
		assert.match(first.output_text, /\(turn 2\)/);
		const second = await createResponse('chatter', 'And on', { previous_response_id: first.id });
		assert.match(second.output_text, /\(turn 3\)/);
	});

	it('receive the earlier messages to another model', async () => {
		const before = await client.responses.create({ model: 'offline', input: 'My name is Ada.' });
		const response = await createResponse('chatter', 'Hello', { previous_response_id: before.id });
		assert.match(response.output_text, /^You said Hello \(turn 2\)/);
		const next = await createResponse('chatter', 'And on', { previous_response_id: response.id });
		assert.match(next.output_text, /\(turn 3\)/);
		const after = await client.responses.create({ model: 'offline', input: 'Thanks', previous_response_id: response.id });
		assert.ok((after.usage?.input_tokens ?? 0) > (response.usage?.input_tokens ?? 0));
	});

	it('stream in the order of the protocol and report a failed run', async () => {
		const streamResponse = async (model: string, input: string) => {
			const body = JSON.stringify({ model: `agent/${model}`, input, stream: true });
			return readResponseStream(
				(await postBytes(`${gateway.baseUrl}/v1/responses`, body, { authorization: `Bearer ${gateway.apiKey}` })).body.toString(),
			);
		};
		const chat = await streamResponse('chatter', 'Hello');
		assert.match(chat.output[0]?.type === 'message' ? (chat.output[0].content[0]?.text ?? '') : '', /^You said Hello \(turn 1\)/);
		assert.match(chat.conversation_id ?? '', /^[0-9a-f-]{36}$/);
		const workflow = await streamResponse('greeter', '{"name":"Grace"}');
		assert.equal(workflow.output[0]?.type === 'message' && workflow.output[0].content[0]?.text, 'Hello Grace!');
		assert.equal(workflow.conversation_id, undefined);
		await assert.rejects(createResponse('failer', 'x'), { status: 500, type: 'server_error' });
	});

	it('are refused with messages of this protocol', async () => {
		await assert.rejects(createResponse('chatter', ''), { status: 400, param: 'input', message: /Invalid 'input'/ });
		await assert.rejects(createResponse('greeter', 'x', { inputs: {} }), { status: 400, param: 'inputs.name' });
		await assert.rejects(createResponse('missing', 'x'), { status: 404, code: 'model_not_found' });
		await assert.rejects(createResponse('chatter', 'x', { background: true }), { status: 400, param: 'background' });
	});
});
