import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import { collectEvents, FakeService } from './fakeService.ts';

describe('a list that never ends', () => {
	const service = new FakeService();
	before(() => service.start());
	after(() => service.stop());

	it('ends with an error after 10,000 pages', async () => {
		const client = new ServiceClient({ baseUrl: service.url, kind: 'gateway', keys: {} });
		let sent = 0;
		service.setAnswers((_request, response) => {
			const id = `${sent++}`;
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ data: [{ id, created_at: 1, workflow_run: {} }], has_more: true, last_id: id }));
		});
		const expected = { reason: 'protocol', message: /^The service's list has more than 10000 pages, the limit for lists\./ };
		try {
			await assert.rejects(collectEvents(client.iterateLogs({ model: 'a' })), expected);
			await assert.rejects(client.listMessagesModels(), expected);
			assert.equal(sent, 20_000);
		} finally {
			await client.close();
		}
	});
});
