import assert from 'node:assert/strict';
import { formatMessage } from '#base/text/localizableMessage.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ServiceError } from '#client/errors/serviceError.ts';
import { isEvent, type TextChunkEvent } from '#contract/events.ts';
import { createChatAgent, createFailingAgent, createGreetingAgent, createWaitingAgent } from '../gateway/agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';
import { collectItems, createShippedClient } from './shippedClient.ts';

const run = { model: 'greeter', inputs: { name: 'Ana' }, user: 'ana' };
const message = { model: 'offline', max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello' }] };
const prompt = { model: 'offline', max_tokens_to_sample: 50, prompt: '\n\nHuman: Hello\n\nAssistant:' };
const content = { contents: { parts: { text: 'Hello' } } };
const isOffline = /This is the offline model/;

describe('client with the gateway', () => {
	let gateway: GatewayProcess;
	let client: ServiceClient;
	before(async () => {
		gateway = await startGateway({
			agents: { greeter: createGreetingAgent(), waiter: createWaitingAgent(), failer: createFailingAgent(), chatter: createChatAgent() },
		});
		const keys = { agent: gateway.apiKey, messages: gateway.apiKey, content: gateway.apiKey };
		client = createShippedClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys });
	});
	after(async () => {
		await client.close();
		await cleanUpGateways();
	});

	describe('running agents (A1)', () => {
		it('returns the result of a blocking run', async () => {
			const { data, workflow_run_id } = await client.runWorkflow(run);
			assert.equal(data.id, workflow_run_id);
			assert.equal(data.status, 'succeeded');
			assert.deepEqual(data.outputs, { greeting: 'Hello Ana!' });
			assert.equal(data.total_steps, 3);
		});
		it('returns the error of a blocking run that fails', async () => {
			const { data } = await client.runWorkflow({ ...run, model: 'failer', inputs: {} });
			assert.equal(data.status, 'failed');
			assert.match(data.error!, /as asked/);
		});
		it('streams the events of a run', async () => {
			const events = await collectItems(client.streamWorkflow(run));
			assert.deepEqual(
				events.map(({ event }) => event).filter(event => event !== 'text_chunk' && event !== 'ping'),
				['workflow_started', ...Array(3).fill(['node_started', 'node_finished']).flat(), 'workflow_finished'],
			);
			const last = events.at(-1)!;
			assert.ok(isEvent(last, 'workflow_finished'));
			assert.deepEqual(last.data.outputs, { greeting: 'Hello Ana!' });
		});
		it('refuses an unknown agent, blocking and streaming', async () => {
			await assert.rejects(client.runWorkflow({ ...run, model: 'nobody' }), { reason: 'not-found' });
			await assert.rejects(collectItems(client.streamWorkflow({ ...run, model: 'nobody' })), { reason: 'not-found' });
		});
		it('returns the template and the values of a refusal for translation', async () => {
			const calls = [client.runWorkflow({ ...run, model: 'nobody' }), collectItems(client.streamWorkflow({ ...run, model: 'nobody' }))];
			for (const call of calls) {
				await assert.rejects(call, ({ localizable, message }: ServiceError) => {
					assert.equal(formatMessage(localizable!), message);
					assert.match(JSON.stringify(localizable), /"template":"Agent not found: '\{0\}'\.[^"]*","args":\["nobody"\]/);
					return true;
				});
			}
		});
		it('refuses a blocking run with a wrong key', async () => {
			const stranger = createShippedClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: 'wrong' } });
			await assert.rejects(stranger.runWorkflow(run), { reason: 'auth', status: 401 });
			await stranger.close();
		});
	});

	describe('run details (A2)', () => {
		it('returns a finished run', async () => {
			const { workflow_run_id } = await client.runWorkflow(run);
			const detail = await client.getRun(workflow_run_id, { model: 'greeter' });
			assert.equal(detail.inputs['name'], 'Ana');
			assert.deepEqual(detail.outputs, { greeting: 'Hello Ana!' });
			assert.ok(Math.abs(detail.created_at - Date.now() / 1000) < 60);
		});
		it('rejects for an unknown run', () =>
			assert.rejects(client.getRun('0b4ea3c6-0000-4000-8000-000000000000', { model: 'greeter' }), { reason: 'not-found', status: 404 }));
	});

	describe('stopping runs (A3)', () => {
		it('stops a streaming run only for its own user', async () => {
			const stream = client.streamWorkflow({ model: 'waiter', inputs: {}, user: 'ana' });
			const { value: first } = await stream.next();
			assert.ok(first && isEvent(first, 'workflow_started'));
			await assert.rejects(client.stopRun(first.task_id, { model: 'waiter', user: 'eve' }), { name: 'ServiceError' });
			assert.deepEqual(await client.stopRun(first.task_id, { model: 'waiter', user: 'ana' }), { result: 'success' });
			const last = (await collectItems(stream)).at(-1)!;
			assert.ok(isEvent(last, 'workflow_finished'));
			assert.equal(last.data.status, 'stopped');
			assert.equal((await client.getRun(first.workflow_run_id, { model: 'waiter' })).status, 'stopped');
		});
	});

	describe('run logs (A4)', () => {
		it('returns a filtered page', async () => {
			await client.runWorkflow({ ...run, inputs: { name: 'Needle' } });
			const page = await client.listLogs({ model: 'greeter', keyword: 'Needle', status: 'succeeded' });
			assert.equal(page.total, 1);
			assert.equal(page.data[0]!.workflow_run.total_steps, 3);
			assert.equal(typeof page.data[0]!.created_at, 'number');
		});
		it('iterates over all pages', async () => {
			const { total } = await client.listLogs({ model: 'greeter' });
			const logs = await collectItems(client.iterateLogs({ model: 'greeter', limit: 2 }));
			assert.equal(logs.length, total);
			assert.ok(total > 2);
			assert.equal(new Set(logs.map(log => log.id)).size, total);
		});
	});

	describe('conversations (B)', () => {
		const owner = { model: 'chatter', user: 'bea' };
		const ids: string[] = [];
		before(async () => {
			for (const query of ['one', 'two', 'three']) {
				ids.push((await client.createChatMessage({ ...owner, inputs: {}, query })).conversation_id);
			}
		});
		it('lists a page (B2)', async () => {
			const page = await client.listConversations({ ...owner, limit: 2 });
			assert.equal(page.data.length, 2);
			assert.equal(page.has_more, true);
		});
		it('lists all pages (B2)', async () => {
			const conversations = await collectItems(client.iterateConversations({ ...owner, limit: 2, sort_by: 'created_at' }));
			assert.deepEqual(
				conversations.map(({ id }) => id),
				ids,
			);
		});
		it('renames to a given name (B3)', async () => {
			assert.equal((await client.renameConversation(ids[0]!, { ...owner, name: 'Ünïcode' })).name, 'Ünïcode');
		});
		it('renames to a generated name (B3)', async () => {
			assert.notEqual((await client.renameConversation(ids[0]!, { ...owner, auto_generate: true })).name, 'Ünïcode');
		});
		it('deletes (B1)', async () => {
			assert.deepEqual(await client.deleteConversation(ids[0]!, owner), { result: 'success' });
			assert.equal((await client.listConversations(owner)).data.length, 2);
			await assert.rejects(client.deleteConversation(ids[0]!, owner), { reason: 'not-found' });
		});
	});

	describe('messages (C1)', () => {
		it('returns a complete message', async () => {
			const reply = await client.createMessage({ ...message, stop_sequences: ['never'], temperature: 1, top_k: 5 });
			assert.match(String(reply.content[0]!['text']), isOffline);
			assert.equal(reply.stop_reason, 'end_turn');
		});
		it('streams a message', async () => {
			const events = await collectItems(client.streamMessage(message));
			assert.equal(events[0]!.type, 'message_start');
			assert.equal(events.at(-1)!.type, 'message_stop');
			const text = events.map(event => ('delta' in event ? ((event.delta as { text?: string }).text ?? '') : '')).join('');
			assert.match(text, isOffline);
		});
		it('reports an error of the service, blocking and streaming', async () => {
			const refused = { ...message, messages: [{ role: 'user' as const, content: '[offline: error=429]' }] };
			await assert.rejects(client.createMessage(refused), { reason: 'rate-limited' });
			await assert.rejects(collectItems(client.streamMessage(refused)), { reason: 'rate-limited' });
		});
		it('counts tokens', async () => {
			assert.ok((await client.countMessagesTokens(message)).input_tokens > 0);
		});
		it('lists models', async () => {
			assert.ok((await client.listMessagesModels()).some(({ id }) => id === 'offline'));
		});
	});

	describe('text completions (D1)', () => {
		it('returns a complete text', async () => {
			const reply = await client.createCompletion(prompt);
			assert.match(reply.completion, isOffline);
			assert.equal(reply.stop_reason, 'stop_sequence');
		});
		it('streams a text', async () => {
			const events = await collectItems(client.streamCompletion(prompt));
			assert.match(events.map(event => ('completion' in event ? event.completion : '')).join(''), isOffline);
		});
	});

	describe('Gemini content (E)', () => {
		it('generates content (E1)', async () => {
			const reply = await client.generateContent('offline', content);
			assert.match(reply.candidates![0]!.content!.parts![0]!.text!, isOffline);
		});
		it('streams content (E2)', async () => {
			const chunks = await collectItems(client.streamGenerateContent('offline', { ...content, generationConfig: { maxOutputTokens: 3 } }));
			assert.equal(chunks.map(chunk => chunk.candidates?.[0]?.content?.parts?.[0]?.text ?? '').join(''), 'This is the');
			assert.equal(chunks.at(-1)!.candidates![0]!.finishReason, 'MAX_TOKENS');
		});
		it('refuses a wrong key (E1 and E2)', async () => {
			const stranger = createShippedClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { content: 'wrong-key' } });
			await assert.rejects(stranger.generateContent('offline', content), { reason: 'auth' });
			await assert.rejects(collectItems(stranger.streamGenerateContent('offline', content)), { reason: 'auth' });
			await stranger.close();
		});
		it('counts tokens', async () => {
			assert.ok((await client.countContentTokens('offline', content)).totalTokens > 0);
		});
		it('lists models', async () => {
			assert.ok((await client.listContentModels()).some(({ name }) => name === 'models/offline'));
		});
	});

	describe('operations outside the contract', () => {
		it('lists, unpublishes and publishes agents', async () => {
			assert.deepEqual(await client.listDatasets(), []);
			await assert.rejects(client.reindexDataset('../x'), { reason: 'not-found' });
			assert.deepEqual((await client.listAgents()).map(({ name }) => name).sort(), ['chatter', 'failer', 'greeter', 'waiter']);
			assert.equal((await client.unpublishAgent('greeter')).published, false);
			await assert.rejects(client.runWorkflow(run), { reason: 'not-published' });
			assert.equal((await client.publishAgent('greeter')).published, true);
		});
		it('runs a draft, blocking and streaming, published or not', async () => {
			await client.unpublishAgent('greeter');
			assert.deepEqual((await client.runDraft(run)).data.outputs, { greeting: 'Hello Ana!' });
			assert.equal((await collectItems(client.streamDraft(run))).at(-1)!.event, 'workflow_finished');
			await client.publishAgent('greeter');
		});
		it('follows a run again by its ID', async () => {
			const { workflow_run_id } = await client.runWorkflow(run);
			const events = await collectItems(client.followRun(workflow_run_id, { model: 'greeter', user: 'ana' }));
			assert.equal(events.at(-1)!.event, 'workflow_finished');
		});
		it('uploads a file', async () => {
			const file = await client.uploadFile({ name: 'note.txt', data: Buffer.from('a note'), type: 'text/plain' }, { user: 'ana' });
			assert.equal(file.size, 6);
			assert.equal(file.extension, 'txt');
			assert.match(file.id, /^[0-9a-f-]{36}$/);
		});
		it('returns the inputs of an agent and its accepted files', async () => {
			const { file_upload: files, user_input_form: form } = await client.getAgentParameters({ model: 'greeter' });
			assert.equal(files?.enabled, false);
			assert.deepEqual(
				form?.map(entry => Object.values(entry)[0]?.variable),
				['name'],
			);
		});
		it('chats, blocking and streaming, and reads the history', async () => {
			const owner = { model: 'chatter', user: 'cleo' };
			const first = await client.createChatMessage({ ...owner, inputs: {}, query: 'one' });
			assert.match(first.answer, /You said one/);
			const events = await collectItems(
				client.streamChatMessage({ ...owner, inputs: {}, query: 'two', conversation_id: first.conversation_id }),
			);
			assert.equal(events.at(-1)!.event, 'message_end');
			assert.match(
				events.map(event => (event.event === 'message' && 'answer' in event ? event.answer : '')).join(''),
				/You said two \(turn/,
			);
			const history = await collectItems(client.iterateChatMessages({ ...owner, conversation_id: first.conversation_id, limit: 1 }));
			assert.deepEqual(
				history.map(({ query }) => query),
				['two', 'one'],
			);
		});
		it('stops a chat turn', async () => {
			const stream = client.streamWorkflow({ model: 'waiter', inputs: {}, user: 'dora' });
			const { value: first } = await stream.next();
			assert.ok(first);
			assert.deepEqual(await client.stopChatMessage((first as TextChunkEvent).task_id, { model: 'waiter', user: 'dora' }), {
				result: 'success',
			});
			await collectItems(stream);
		});
	});
});
