import assert from 'node:assert/strict';
import { ServiceClient } from '#client/client.ts';
import { ServiceError } from '#client/errors/serviceError.ts';
import { collectEvents, FakeService } from './fakeService.ts';

const run = { model: 'translator', inputs: { text: 'hello' }, user: 'me' };

describe('ServiceClient', () => {
	const service = new FakeService();
	let client: ServiceClient;
	before(() => service.start());
	beforeEach(() => {
		client = new ServiceClient({
			baseUrl: service.url,
			kind: 'gateway',
			keys: { agent: 'agent-key', messages: 'messages-key', content: 'content-key' },
		});
	});
	afterEach(() => client.close());
	after(() => service.stop());

	it('runs a workflow and normalizes its result', async () => {
		service.setAnswers({
			json: {
				workflow_run_id: 'r1',
				task_id: 't1',
				data: {
					id: 'r1',
					workflow_id: 'w1',
					status: 'succeeded',
					outputs: '{"text":"hallo"}',
					total_steps: '3',
					created_at: '1705407629',
					more: 1,
				},
			},
		});
		const response = await client.runWorkflow(run);
		assert.deepEqual(response.data.outputs, { text: 'hallo' });
		assert.equal(response.data.total_steps, 3);
		assert.equal(response.data.created_at, 1705407629);
		assert.equal(response.data['more'], 1);
		const request = service.requests.at(-1)!;
		assert.equal(`${request.method} ${request.url}`, 'POST /v1/agent/workflows/run');
		assert.equal(request.headers.authorization, 'Bearer agent-key');
		assert.deepEqual(JSON.parse(request.body), { ...run, response_mode: 'blocking' });
	});

	it('streams the events of a run', async () => {
		const finished = {
			event: 'workflow_finished',
			task_id: 't1',
			workflow_run_id: 'r1',
			data: { id: 'r1', status: 'succeeded', total_steps: '2' },
		};
		service.setAnswers({
			body: `event: ping\n\ndata: {"event":"workflow_started","task_id":"t1"}\n\ndata: {"event":"something_new","x":1}\n\ndata: ${JSON.stringify(finished)}\n\n`,
		});
		const events = await collectEvents(client.streamWorkflow(run));
		assert.deepEqual(
			events.map(event => event.event),
			['workflow_started', 'something_new', 'workflow_finished'],
		);
		assert.equal((events[2] as { data: { total_steps: number } }).data.total_steps, 2);
	});

	it('rejects with the reason of a refusal', async () => {
		service.setAnswers({ status: 400, json: { code: 'invalid_param', message: 'Workflow not published', status: 400 } });
		await assert.rejects(client.runWorkflow(run), (error: ServiceError) => {
			assert.ok(error instanceof ServiceError);
			assert.equal(error.reason, 'not-published');
			assert.equal(error.status, 400);
			assert.equal(error.code, 'invalid_param');
			return true;
		});
	});

	it('reports that nothing listens', async () => {
		const unreachable = new ServiceClient({ baseUrl: 'http://127.0.0.1:1', kind: 'gateway', keys: {} });
		await assert.rejects(unreachable.listAgents(), { name: 'ServiceError', reason: 'network', code: 'ECONNREFUSED' });
		await unreachable.close();
	});
});
