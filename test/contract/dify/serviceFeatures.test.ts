import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import type { ChatEvent } from '#contract/chat.ts';
import type { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile, pausingChatFile } from '../../support/services/dify/sampleApps.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';
import { startTrackedDeployment, stopDeployments } from './managed.ts';

const user = 'ana';
const agentFile = `app: {name: Helper, mode: agent-chat}
kind: app
version: 0.6.0
model_config: {model: {provider: openai, name: gpt-4o, mode: chat}}
`;
const model = 'Helper';
const mp3 = { name: 'talk.mp3', data: Buffer.from('ID3'), type: 'audio/mpeg' };

describe('message features of Dify apps', () => {
	let fake: DifyDeployment;
	let app: FakeApp;
	let client: ServiceClient;
	const createClient = (key: string) =>
		new ServiceClient({
			baseUrl: `${fake.origin}/v1`,
			kind: 'dify',
			keys: { agent: key },
			network: { environment: {}, timeouts: { reply: 20_000 } },
		});

	beforeEach(async () => {
		fake = await startTrackedDeployment({ release: '1.18.0' });
		app = fake.addApp(agentFile);
		client = createClient(fake.addKey(app));
	});
	afterEach(async () => {
		await client.close();
		await stopDeployments();
	});

	async function sendQuery(query: string, conversation?: string) {
		const body = { model, query, inputs: {}, user, ...(conversation && { conversation_id: conversation }) };
		const events: ChatEvent[] = [];
		for await (const event of client.streamChatMessage(body)) {
			events.push(event);
		}
		const { message_id: message, conversation_id: id } = events[0] as unknown as { message_id: string; conversation_id: string };
		return { events, message, conversation: id };
	}

	it('rates a message, shows the rating in both lists, and clears it once', async () => {
		const { message, conversation } = await sendQuery('Hi');
		await client.app.rateMessage(message, { user, rating: 'like', content: 'Good' });
		const { data } = await client.app.listFeedback();
		const [given] = data;
		assert.deepEqual([data.length, given?.message_id, given?.rating, given?.content], [1, message, 'like', 'Good']);
		const { external_user_id: who } = await client.app.getEndUser(String(given?.['from_end_user_id']));
		assert.equal(who, user);
		const page = await client.listChatMessages({ model, user, conversation_id: conversation });
		assert.deepEqual(page.data[0]?.['feedback'], { rating: 'like' });
		await client.app.rateMessage(message, { user, rating: null });
		assert.deepEqual((await client.app.listFeedback()).data, []);
		await assert.rejects(client.app.rateMessage(message, { user, rating: null }), { status: 400, reason: 'invalid-request' });
		await assert.rejects(client.app.rateMessage('none', { user, rating: 'like' }), { status: 404, reason: 'not-found' });
		await assert.rejects(client.app.getEndUser('none'), { code: 'end_user_not_found', reason: 'not-found' });
	});

	it('suggests questions and reports if suggestions are off', async () => {
		const { message } = await sendQuery('Hi');
		fake.chats.suggested = ['More?', 5 as unknown as string];
		assert.deepEqual(await client.app.getSuggestedQuestions(message, { user }), ['More?']);
		fake.chats.suggested = 'More?' as unknown as string[];
		await assert.rejects(client.app.getSuggestedQuestions(message, { user }), { reason: 'protocol' });
		fake.chats.suggested = undefined;
		await assert.rejects(client.app.getSuggestedQuestions(message, { user }), { status: 400 });
	});

	it('creates, finds, changes and deletes annotations across pages', async () => {
		const made = await client.app.createAnnotation({ question: 'How long?', answer: '28 days' });
		for (let n = 0; n < 5; n++) {
			await client.app.createAnnotation({ question: `Q${n}`, answer: 'A' });
		}
		assert.equal((await client.app.updateAnnotation(made.id, { question: 'How long?', answer: '30 days' })).answer, '30 days');
		assert.equal((await collectItems(client.app.iterateAnnotations({ limit: 2 }))).length, 6);
		assert.deepEqual(
			(await collectItems(client.app.iterateAnnotations({ keyword: 'how' }))).map(({ id }) => id),
			[made.id],
		);
		await client.app.deleteAnnotation(made.id);
		await assert.rejects(client.app.deleteAnnotation(made.id), { status: 404, reason: 'not-found' });
		await assert.rejects(client.app.updateAnnotation(made.id, { question: 'q', answer: 'a' }), { status: 404 });
	});

	it('transcribes supported audio and reports unsupported audio', async () => {
		assert.equal(await client.app.transcribeAudio(mp3, { user }), 'What was said');
		await assert.rejects(client.app.transcribeAudio({ ...mp3, type: 'audio/flac' }, { user }), {
			status: 415,
			code: 'unsupported_audio_type',
		});
		const large = { ...mp3, data: Buffer.alloc(31 * 1024 * 1024) };
		await assert.rejects(client.app.transcribeAudio(large, { user }), { status: 413, code: 'audio_too_large' });
		fake.chats.parameters = {};
		await assert.rejects(client.app.transcribeAudio(mp3, { user }), { status: 400, code: 'speech_to_text_disabled' });
	});

	it('speaks a message or a text and reports if speech is off', async () => {
		const { message } = await sendQuery('Hi');
		const { type, data } = await client.app.convertTextToSpeech({ user, message_id: message });
		assert.deepEqual([type, Buffer.from(data).toString()], ['audio/mpeg', 'ID3 sound']);
		await assert.rejects(client.app.convertTextToSpeech({ user }), /expected text or message_id/);
		fake.chats.parameters = {};
		await assert.rejects(client.app.convertTextToSpeech({ user, text: 'Hi' }), { status: 400, message: /TTS is not enabled/ });
	});

	it('returns a file only to the app that received it', async () => {
		const sent = await client.uploadFile({ name: 'a.txt', data: Buffer.from('what\r\nit says'), type: 'text/plain' }, { user, model });
		const { type, data } = await client.app.fetchFile(sent.id, { user });
		assert.deepEqual([type, Buffer.from(data).toString()], ['text/plain', 'what\r\nit says']);
		assert.equal((await client.app.getEndUser(String(sent.created_by))).session_id, user);
		const other = createClient(fake.addKey(fake.addApp(agentFile)));
		await assert.rejects(other.app.fetchFile(sent.id, { user }), { status: 403, code: 'file_access_denied' });
		await assert.rejects(client.app.fetchFile('none', { user }), { status: 404, code: 'file_not_found' });
		await other.close();
	});

	it('lists and sets conversation variables across pages', async () => {
		const flow = fake.addApp(pausingChatFile);
		fake.editDraft(flow, draft => {
			draft.conversation = Array.from({ length: 5 }, (_, n) => ({
				id: `v${n}`,
				name: `v${n}`,
				value_type: 'number',
				value: n,
				description: '',
			}));
		});
		fake.publishDraft(flow);
		await client.close();
		client = createClient(fake.addKey(flow));
		const { conversation } = await sendQuery('Hi');
		const variables = await collectItems(client.app.iterateVariables(conversation, { user, limit: 2 }));
		assert.deepEqual(
			variables.map(({ name, value }) => [name, value]),
			[0, 1, 2, 3, 4].map(n => [`v${n}`, n]),
		);
		const [first] = variables;
		assert.equal((await client.app.setVariable(conversation, first!.id, { user, value: 7 })).value, 7);
		await assert.rejects(client.app.setVariable(conversation, first!.id, { user, value: 'x' }), { status: 400, message: /expects number/ });
		await assert.rejects(client.app.setVariable(conversation, 'none', { user, value: 7 }), { status: 404 });
		await assert.rejects(collectItems(client.app.iterateVariables('none', { user })), { status: 404, reason: 'not-found' });
		await assert.rejects(collectItems(client.app.iterateVariables(conversation, { user, last_id: 'none' })), { status: 400 });
	});

	it('are refused with a message for other app types, without a service API and with a revoked key', async () => {
		const flow = fake.addApp(createWorkflowFile());
		fake.publishDraft(flow);
		const other = createClient(fake.addKey(flow));
		await assert.rejects(collectItems(other.app.iterateVariables('c', { user })), { status: 400, code: 'not_chat_app' });
		await other.close();
		app.serviceApi = false;
		await assert.rejects(client.app.listFeedback(), { status: 403 });
		app.keys.splice(0);
		await assert.rejects(client.app.listFeedback(), { status: 401, reason: 'auth' });
	});

	it('skips invalid annotations and variables in lists', async () => {
		fake.chats.annotations = [{ id: 'a', question: 5, answer: { a: 1 }, hit_count: 'many' }, { id: 7 }, {}];
		const annotations = await collectItems(client.app.iterateAnnotations());
		assert.deepEqual(
			annotations.map(({ question, answer, hit_count }) => [question, answer, hit_count]),
			[['5', '{"a":1}', null]],
		);
		const { conversation } = await sendQuery('Hi');
		const [kept] = fake.chats.listConversations(app, user);
		kept?.variables.push({ id: 'v', name: ['n'], value_type: null, value: 1 }, { name: 'none' });
		const variables = await collectItems(client.app.iterateVariables(conversation, { user }));
		assert.deepEqual(
			variables.map(({ name, value_type }) => [name, value_type]),
			[['["n"]', '']],
		);
		fake.chats.annotations = [null as never];
		await assert.rejects(collectItems(client.app.iterateAnnotations()), { name: 'ServiceError', reason: 'protocol' });
	});

	it('times out on a slow service and reports proxy pages and invalid responses', async () => {
		let go = () => {};
		const held = new Promise<void>(resolve => {
			go = resolve;
		});
		fake.faults.planFault(/app\/feedbacks/, { kind: 'held', until: held });
		await assert.rejects(client.app.listFeedback({}, { signal: AbortSignal.timeout(50) }));
		go();
		fake.faults.planFault(/app\/feedbacks/, { kind: 'page', status: 200 });
		await assert.rejects(client.app.listFeedback(), { name: 'ServiceError', reason: 'protocol' });
		fake.faults.planFault(/text-to-audio/, { kind: 'lost' });
		await assert.rejects(client.app.convertTextToSpeech({ user, text: 'Hi' }), { name: 'ServiceError' });
		fake.faults.planFault(/feedbacks$/, { kind: 'refuse', status: 429, code: 'too_many_requests' });
		assert.deepEqual((await client.app.listFeedback()).data, [], 'a question is asked again, as ever');
	});
});

async function collectItems<T>(items: AsyncIterable<T>): Promise<T[]> {
	const found: T[] = [];
	for await (const item of items) {
		found.push(item);
	}
	return found;
}
