import assert from 'node:assert/strict';
import { type Ask, parseStreamEvents, sendRequest } from '../../support/services/dify/asking.ts';
import { type DifyDeployment, startDifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile, pausingChatFile } from '../../support/services/dify/sampleApps.ts';
import type { FakeApp } from '../../support/services/dify/state.ts';

describe('the service API of the fake Dify deployment', () => {
	let fake: DifyDeployment;
	beforeEach(async () => {
		fake = await startDifyDeployment({ release: '1.18.0' });
		fake.freezeClock();
	});
	afterEach(async () => {
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});
	const createSenderWithKey = (app: FakeApp) => {
		const authorization = `Bearer ${fake.addKey(app)}`;
		return (path: string, how: Ask = {}) => sendRequest(fake, `/v1${path}`, { ...how, headers: { authorization, ...how.headers } });
	};
	const createPublishedApp = (text: string) => {
		const app = fake.addApp(text);
		fake.publishDraft(app);
		return app;
	};

	it('runs the published version, blocking and streaming, and returns it in detail and log', async () => {
		const app = createPublishedApp(createWorkflowFile());
		const asker = createSenderWithKey(app);
		const blocking = await asker('/workflows/run', { body: { inputs: {}, user: 'u' } });
		const data = blocking.body['data'] as { id: string; outputs: object };
		assert.deepEqual(data.outputs, { greeting: 'Model says so' });
		assert.equal((await asker(`/workflows/run/${data.id}`)).body['status'], 'succeeded');
		const streaming = await asker('/workflows/run', { body: { inputs: {}, user: 'u', response_mode: 'streaming' } });
		assert.equal(parseStreamEvents(streaming).at(-1)?.['event'], 'workflow_finished');
		assert.match(streaming.text, /^event: ping\n\n/);
		assert.equal((await asker('/workflows/logs')).body['total'], 2);
		assert.equal((await asker('/workflows/run', { body: { inputs: {} } })).body['message'], 'Arg user must be provided.');
	});
	it('refuses foreign keys, disabled or unpublished apps, and apps of the other kind', async () => {
		const app = fake.addApp(createWorkflowFile());
		const asker = createSenderWithKey(app);
		assert.equal((await sendRequest(fake, '/v1/info', { headers: { authorization: 'Bearer app-x' } })).status, 401);
		const run = { body: { inputs: {}, user: 'u', query: 'Hi' } };
		assert.equal((await asker('/workflows/run', run)).body['message'], 'Workflow not published');
		assert.equal((await asker('/chat-messages', run)).body['code'], 'not_chat_app');
		app.serviceApi = false;
		assert.equal((await asker('/info')).status, 403);
	});
	it('chats with a paused turn and its answer, then stores feedback and suggests questions', async () => {
		const asker = createSenderWithKey(createPublishedApp(pausingChatFile));
		const turn = await asker('/chat-messages', { body: { inputs: {}, user: 'u', query: 'Hi', response_mode: 'streaming' } });
		const paused = parseStreamEvents(turn).at(-1) as {
			event: string;
			message_id: string;
			conversation_id: string;
			workflow_run_id: string;
		};
		assert.equal(paused.event, 'workflow_paused');
		const token = fake.runs.all[0]?.forms[0]?.token;
		await asker(`/form/human_input/${token}`, { body: { inputs: { note: 'yes' }, action: 'approve', user: 'u' } });
		assert.equal((await asker(`/workflow/${paused.workflow_run_id}/events?user=other`)).status, 404);
		const after = await asker(`/workflow/${paused.workflow_run_id}/events?user=u`);
		assert.deepEqual(
			parseStreamEvents(after)
				.map(each => each['event'])
				.filter(each => each === 'workflow_finished').length,
			1,
		);
		const rated = await asker(`/messages/${paused.message_id}/feedbacks`, { body: { rating: 'like', user: 'u' } });
		assert.deepEqual(rated.body, { result: 'success' });
		assert.deepEqual((await asker(`/messages/${paused.message_id}/suggested?user=u`)).body['data'], ['And then?']);
		const page = await asker(`/messages?user=u&conversation_id=${paused.conversation_id}`);
		assert.deepEqual(
			(page.body['data'] as { answer: string; feedback: object }[]).map(each => [each.answer, each.feedback]),
			[['You said yes', { rating: 'like' }]],
		);
		assert.equal((await asker(`/conversations/${paused.conversation_id}`, { method: 'DELETE', body: { user: 'u' } })).status, 204);
		assert.deepEqual((await asker('/conversations?user=u')).body['data'], []);
	});
	it('stores annotations and converts audio to text and back', async () => {
		const asker = createSenderWithKey(createPublishedApp(pausingChatFile));
		const { body } = await asker('/apps/annotations', { body: { question: 'Q', answer: 'A' } });
		assert.equal(
			(await asker(`/apps/annotations/${body['id']}`, { method: 'PUT', body: { question: 'Q', answer: 'B' } })).body['answer'],
			'B',
		);
		assert.equal((await asker('/apps/annotations?keyword=b')).body['total'], 1);
		assert.equal((await asker('/text-to-audio', { body: { text: 'Hi', user: 'u' } })).headers.get('content-type'), 'audio/mpeg');
		assert.equal((await asker('/audio-to-text', { body: { user: 'u' } })).body['code'], 'no_audio_uploaded');
	});
});
