import assert from 'node:assert/strict';
import OpenAI from 'openai';
import {
	createChatAgent,
	createFailingAgent,
	createGreetingAgent,
	createHttpAgent,
	createModelApp,
	createWaitingAgent,
} from '../gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const createVariable = (name: string, type: string) => ({ variable: name, label: name, type, required: false });

/** Fields that OpenAI's API doesn't define. Its SDKs send them unchanged. */
type Extra = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & Record<string, unknown>;

describe("agents as models of OpenAI's protocol", () => {
	let gateway: GatewayProcess;
	let client: OpenAI;

	before(async () => {
		gateway = await startGateway({
			agents: {
				greeter: createGreetingAgent(),
				failer: createFailingAgent(),
				chatter: createChatAgent(),
				'slow-waiter': createWaitingAgent(2_000, 50),
				'slow-chatter': createChatAgent(2_000, 50),
				form: createHttpAgent(
					{ url: 'http://127.0.0.1:9' },
					{ variables: [createVariable('city', 'text-input'), createVariable('days', 'number')] },
				),
				assistant: createModelApp('agent-chat'),
				hidden: createGreetingAgent(),
			},
			config: { agents_as_models: ['greeter', 'failer', 'chatter', 'slow-*', 'form', 'assistant', 'missing'] },
		});
		client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(cleanUpGateways);

	const completeChat = (agent: string, content: OpenAI.ChatCompletionUserMessageParam['content'], extra: Extra = {}) =>
		client.chat.completions.create({ model: `agent/${agent}`, messages: [{ role: 'user', content }], ...extra, stream: false });
	const getReplyContent = (completion: OpenAI.ChatCompletion) => completion.choices[0]?.message.content ?? '';
	const getConversationId = (completion: OpenAI.ChatCompletion) =>
		String((completion as unknown as Record<string, unknown>)['conversation_id']);
	const countRuns = async (agent: string, status: string): Promise<number> =>
		(await gateway.send('GET', `/v1/agent/workflows/logs?model=${agent}&status=${status}`)).json.total;

	it('are listed only for OpenAI clients if the setting names them', async () => {
		const ids: string[] = [];
		for await (const { id, owned_by } of client.models.list()) {
			ids.push(id);
			assert.equal(owned_by, id === 'offline' ? 'offline' : 'agent-workbench');
		}
		const names = ['assistant', 'chatter', 'failer', 'form', 'greeter', 'slow-chatter', 'slow-waiter'];
		assert.deepEqual(ids, ['offline', ...names.map(name => `agent/${name}`)]);
		assert.equal((await client.models.retrieve('agent/greeter')).owned_by, 'agent-workbench');
		const headers = { 'x-api-key': gateway.apiKey, 'anthropic-version': '2023-06-01' };
		const others = (await (await fetch(`${gateway.baseUrl}/v1/models`, { headers })).json()) as { data: { id: string }[] };
		assert.deepEqual(
			others.data.map(({ id }) => id),
			['offline'],
		);
	});

	it('are refused unless the setting names them', async () => {
		await assert.rejects(completeChat('hidden', 'x'), {
			status: 404,
			code: 'model_not_found',
			param: 'model',
			message: /agents_as_models/,
		});
		await assert.rejects(completeChat('missing', 'x'), { status: 404, code: 'model_not_found', message: /'missing' doesn't exist/ });
	});

	it('pass the text to a workflow as its required text input, a JSON object or inputs', async () => {
		const whole = await completeChat('greeter', 'Ada', { tools: [], temperature: 2 });
		assert.equal(getReplyContent(whole), 'Hello Ada!');
		assert.equal(whole.model, 'agent/greeter');
		assert.equal(whole.choices[0]?.finish_reason, 'stop');
		assert.equal(getReplyContent(await completeChat('greeter', '{"name":"Grace"}')), 'Hello Grace!');
		assert.equal(getReplyContent(await completeChat('greeter', '{"other":1}')), 'Hello {"other":1}!');
		assert.equal(getReplyContent(await completeChat('greeter', 'ignored', { inputs: { name: 'Joan' } })), 'Hello Joan!');
		await assert.rejects(completeChat('greeter', 'x', { inputs: {} }), { status: 400, param: 'inputs.name', message: /name is required/ });
	});

	it('list the inputs of a workflow if the text fits none of them', async () => {
		const words = /Variables: city \(text-input\), days \(number\)/;
		await assert.rejects(completeChat('form', 'x'), { status: 400, param: 'inputs', message: words });
		await assert.rejects(completeChat('form', '{"town":"Oslo"}'), { status: 400, param: 'inputs', message: words });
	});

	it('answer as a chat with the earlier messages and continue a conversation', async () => {
		const first = await completeChat('chatter', 'Hello', {
			messages: [
				{ role: 'system', content: 'What clients always send.' },
				{ role: 'user', content: 'My name is Ada.' },
				{ role: 'assistant', content: 'Hello Ada.' },
				{ role: 'user', content: 'Hello' },
			],
		});
		assert.match(getReplyContent(first), /^You said Hello \(turn 2\): This is the offline/);
		const id = getConversationId(first);
		assert.match(id, /^[0-9a-f-]{36}$/);
		const { usage } = first;
		assert.ok(usage && usage.total_tokens > 0 && usage.total_tokens === usage.prompt_tokens + usage.completion_tokens);
		assert.equal(getConversationId(await completeChat('chatter', 'And on', { conversation_id: id })), id);
		const { json } = await gateway.send('GET', `/v1/agent/messages?model=chatter&user=openai&conversation_id=${id}`);
		assert.deepEqual(
			json.data.map(({ query }: { query: string }) => query),
			['Hello', 'And on'],
		);
		await assert.rejects(completeChat('chatter', 'x', { conversation_id: id, user: 'another' }), { status: 404, code: null });
		await assert.rejects(completeChat('chatter', ''), { status: 400, param: 'messages' });
	});

	it('accept images', async () => {
		const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${pixel}` } };
		const whole = await completeChat('chatter', [{ type: 'text', text: 'Look' }, image]);
		const { json } = await gateway.send('GET', `/v1/agent/messages?model=chatter&user=openai&conversation_id=${getConversationId(whole)}`);
		const [file] = json.data[0].message_files;
		assert.equal(file.type, 'image');
		assert.equal(file.transfer_method, 'local_file');
		const preview = await fetch(`${gateway.baseUrl}/v1/agent/files/${file.upload_file_id}/preview`, {
			headers: { authorization: `Bearer ${gateway.apiKey}` },
		});
		assert.equal(Buffer.from(await preview.arrayBuffer()).toString('base64'), pixel);
	});

	it('stream a chat and a workflow', async () => {
		for (const agent of ['chatter', 'greeter', 'assistant']) {
			const stream = client.chat.completions.stream({
				model: `agent/${agent}`,
				messages: [{ role: 'user', content: 'Ada' }],
				stream_options: { include_usage: true },
			});
			const conversations = new Set<unknown>();
			stream.on('chunk', chunk => conversations.add((chunk as unknown as Record<string, unknown>)['conversation_id']));
			const final = await stream.finalChatCompletion();
			assert.match(getReplyContent(final), agent === 'greeter' ? /^Hello Ada!$/ : /offline/);
			assert.equal(final.choices[0]?.finish_reason, 'stop');
			assert.equal(conversations.size, 1);
			assert.equal(conversations.has(undefined), agent === 'greeter');
		}
	});

	it('report a failed run as a status and in a stream', async () => {
		const before = await countRuns('failer', 'failed');
		// SDKs retry twice after a 5xx response, but a run must not be repeated unless the user asks
		const retrying = client.withOptions({ maxRetries: 2 });
		await assert.rejects(retrying.chat.completions.create({ model: 'agent/failer', messages: [{ role: 'user', content: 'x' }] }), {
			status: 500,
		});
		assert.equal(await countRuns('failer', 'failed'), before + 1);
		await assert.rejects(completeChat('failer', 'x'), { status: 500, type: 'server_error', message: /./ });
		await assert.rejects(
			async () => {
				for await (const _ of await client.chat.completions.create({
					model: 'agent/failer',
					stream: true,
					messages: [{ role: 'user', content: 'x' }],
				})) {
					// reads the stream until it fails
				}
			},
			(error: unknown) => error instanceof OpenAI.APIError && error.type === 'server_error',
		);
	});

	for (const agent of ['slow-waiter', 'slow-chatter']) {
		it(`stop the run when the caller disconnects: ${agent}`, async () => {
			const stream = await client.chat.completions.create({
				model: `agent/${agent}`,
				stream: true,
				messages: [{ role: 'user', content: 'x' }],
			});
			for await (const { choices } of stream) {
				if (choices[0]?.delta.content) {
					break;
				}
			}
			stream.controller.abort();
			while ((await countRuns(agent, 'stopped')) < 1) {
				await new Promise(resolve => setTimeout(resolve, 50));
			}
		});
	}
});
