import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import { FakeService } from './fakeService.ts';

/** Responses from Dify's reference (openapi_service.json). */
const annotation = { id: 'a1', question: 'What is Dify?', answer: 'A platform.', hit_count: 5, created_at: 1705407629 };
const variable = {
	id: 'v1',
	name: 'user_preference',
	value_type: 'string',
	value: 'dark_mode',
	description: '',
	created_at: 1,
	updated_at: 2,
};

async function collectAll<T>(items: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const item of items) {
		list.push(item);
	}
	return list;
}

describe('app features', () => {
	const service = new FakeService();
	let client: ServiceClient;
	before(() => service.start());
	beforeEach(() => {
		client = new ServiceClient({ baseUrl: `${service.url}/v1`, kind: 'dify', keys: { agent: 'app-key' } });
	});
	afterEach(() => client.close());
	after(() => service.stop());

	const getLastRequest = () => {
		const { method, url, body, headers } = service.requests.at(-1)!;
		assert.equal(headers.authorization, 'Bearer app-key');
		return { to: `${method} ${url}`, ...(body.startsWith('{') && { body: JSON.parse(body) as unknown }) };
	};

	it('sends and removes feedback on a message', async () => {
		service.setAnswers({ json: { result: 'success' } });
		await client.app.rateMessage('m1', { user: 'ana', rating: 'dislike', content: 'Too long' });
		assert.deepEqual(getLastRequest(), {
			to: 'POST /v1/messages/m1/feedbacks',
			body: { user: 'ana', rating: 'dislike', content: 'Too long' },
		});
		await client.app.rateMessage('m1', { user: 'ana', rating: null });
		assert.deepEqual(getLastRequest().body, { user: 'ana', rating: null });
		service.setAnswers({ json: { data: [{ id: 'f', rating: 'like', created_at: '2025-01-16T14:30:29Z' }] } });
		const { data } = await client.app.listFeedback();
		assert.equal(data[0]?.created_at, 1737037829);
		assert.equal(getLastRequest().to, 'GET /v1/app/feedbacks?page=1&limit=20');
	});

	it("rejects a rating that doesn't exist", async () => {
		service.setAnswers({ json: {} });
		await assert.rejects(client.app.rateMessage('m1', { user: 'ana', rating: 'meh' as 'like' }), {
			reason: 'invalid-request',
			field: 'rating',
		});
		await assert.rejects(client.app.rateMessage('..', { user: 'ana', rating: 'like' }), { field: 'message_id' });
		await assert.rejects(client.app.setVariable('c1', '', { user: 'ana', value: 1 }), { field: 'variable_id' });
		assert.equal(service.requests.length, 0);
	});

	it('returns suggested questions, and reports that an app has them disabled', async () => {
		service.setAnswers({ json: { result: 'success', data: ['Which colors?', 7, 'Which price?'] } });
		assert.deepEqual(await client.app.getSuggestedQuestions('m/1', { user: 'ana' }), ['Which colors?', 'Which price?']);
		assert.equal(getLastRequest().to, 'GET /v1/messages/m%2F1/suggested?user=ana');
		service.setAnswers({ status: 400, json: { status: 400, code: 'bad_request', message: 'Suggested Questions Is Disabled.' } });
		await assert.rejects(client.app.getSuggestedQuestions('m1', { user: 'ana' }), { status: 400, code: 'bad_request' });
		service.setAnswers({ json: { result: 'success', data: { 0: 'no list' } } });
		await assert.rejects(client.app.getSuggestedQuestions('m1', { user: 'ana' }), { reason: 'protocol' });
	});

	it('lists, creates, changes and deletes annotations', async () => {
		const createPage = (id: string, has_more: boolean) => ({
			json: { data: [{ ...annotation, id }], has_more, limit: 1, total: 2, page: 1 },
		});
		service.setAnswers(createPage('a1', true), createPage('a2', false));
		const ids = (await collectAll(client.app.iterateAnnotations({ keyword: 'Dify & co', limit: 1 }))).map(({ id }) => id);
		assert.deepEqual(ids, ['a1', 'a2']);
		assert.equal(getLastRequest().to, 'GET /v1/apps/annotations?page=2&limit=1&keyword=Dify+%26+co');
		service.setAnswers({ status: 201, json: annotation });
		const { question, answer } = annotation;
		assert.deepEqual(await client.app.createAnnotation({ question, answer }), annotation);
		assert.deepEqual(getLastRequest(), { to: 'POST /v1/apps/annotations', body: { question, answer } });
		service.setAnswers({ json: annotation });
		await client.app.updateAnnotation('a1', { question, answer });
		assert.deepEqual(getLastRequest(), { to: 'PUT /v1/apps/annotations/a1', body: { question, answer } });
		service.setAnswers({ status: 204, body: '' });
		await client.app.deleteAnnotation('a1');
		assert.equal(getLastRequest().to, 'DELETE /v1/apps/annotations/a1');
	});

	it("transcribes an audio file, or reports why it can't", async () => {
		service.setAnswers({ json: { text: 'Hello there' } });
		const file = { name: 'hello.mp3', data: Buffer.from('ID3'), type: 'audio/mpeg' };
		assert.equal(await client.app.transcribeAudio(file, { user: 'ana' }), 'Hello there');
		const { url, body } = service.requests.at(-1)!;
		assert.equal(url, '/v1/audio-to-text');
		assert.match(body, /name="user"\r\n\r\nana\r\n[\s\S]*name="file"; filename="hello.mp3"\r\nContent-Type: audio\/mpeg\r\n\r\nID3/);
		for (const [status, code] of [
			[413, 'audio_too_large'],
			[415, 'unsupported_audio_type'],
		] as const) {
			service.setAnswers({ status, json: { status, code, message: '' } });
			await assert.rejects(client.app.transcribeAudio(file, { user: 'ana' }), { reason: 'invalid-request', status, code });
		}
	});

	it('returns speech and files as received, whatever their bytes', async () => {
		const data = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0xc3, 0x28, 0x0a]);
		service.setAnswers({ type: 'Audio/MPEG; charset=binary', body: data });
		assert.deepEqual(await client.app.convertTextToSpeech({ user: 'ana', message_id: 'm1' }), { type: 'audio/mpeg', data });
		assert.deepEqual(getLastRequest(), { to: 'POST /v1/text-to-audio', body: { user: 'ana', message_id: 'm1' } });
		await assert.rejects(client.app.convertTextToSpeech({ user: 'ana' }), { field: 'text' });
		service.setAnswers({ type: 'image/png', body: data });
		assert.deepEqual(await client.app.fetchFile('f1', { user: 'ana' }), { type: 'image/png', data });
		assert.equal(getLastRequest().to, 'GET /v1/files/f1/preview?user=ana');
		service.setAnswers({
			status: 403,
			json: { status: 403, code: 'file_access_denied', message: 'Access to the requested file is denied.' },
		});
		await assert.rejects(client.app.fetchFile('f1', { user: 'ana' }), { status: 403, code: 'file_access_denied' });
	});

	it("reads and sets conversation variables, and returns an end user's name", async () => {
		service.setAnswers({ json: { limit: 20, has_more: false, data: [variable] } });
		assert.deepEqual(await collectAll(client.app.iterateVariables('c1', { user: 'ana' })), [variable]);
		assert.equal(getLastRequest().to, 'GET /v1/conversations/c1/variables?user=ana&limit=20');
		service.setAnswers({ json: { ...variable, value: 'light' } });
		assert.equal((await client.app.setVariable('c1', 'v$&1', { user: 'ana', value: 'light' })).value, 'light');
		assert.deepEqual(getLastRequest(), { to: 'PUT /v1/conversations/c1/variables/v%24%261', body: { user: 'ana', value: 'light' } });
		service.setAnswers({ json: { id: 'u1', external_user_id: 'ana', created_at: '2024-01-16T12:00:29Z' } });
		assert.equal((await client.app.getEndUser('u1')).external_user_id, 'ana');
		assert.equal(getLastRequest().to, 'GET /v1/end-users/u1');
	});

	it('sends no request to services without these features', async () => {
		const gateway = new ServiceClient({ baseUrl: service.url, kind: 'gateway', keys: {} });
		await assert.rejects(gateway.app.rateMessage('m1', { user: 'ana', rating: 'like' }), /doesn't support this operation/);
		await gateway.close();
	});
});
