import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createFormNode, createGraphFile } from './formAgents.ts';
import { cleanUpGateways, createTemporaryFolder, type GatewayProcess, type StreamedEvent, startGateway } from './gatewayProcess.ts';

const model = { provider: 'p', name: 'offline', mode: 'chat', completion_params: {} };

/** Creates a chat that looks up the query, shows the results, asks whether they are right, and answers with its model. */
function createPausingChat(): string {
	return createGraphFile(
		'advanced-chat',
		{
			start: { type: 'start', variables: [] },
			find: {
				type: 'knowledge-retrieval',
				dataset_ids: ['handbook'],
				multiple_retrieval_config: { top_k: 4, reranking_enable: false },
				query_variable_selector: ['sys', 'query'],
			},
			first: {
				type: 'llm',
				model,
				prompt_template: [
					{ role: 'system', text: '{{#context#}}' },
					{ role: 'user', text: '{{#sys.query#}}' },
				],
				context: { enabled: true, variable_selector: ['find', 'result'] },
			},
			before: { type: 'answer', answer: '{{#first.text#}} ' },
			ask: createFormNode({ form_content: 'Right?', inputs: [] }),
			second: {
				type: 'llm',
				model,
				prompt_template: [{ role: 'user', text: '[offline: tokens=7 delay=20]' }],
			},
			after: { type: 'answer', answer: '{{#second.text#}}' },
		},
		['start > find', 'find > first', 'first > before', 'before > ask', 'ask [ok] > second', 'second > after'],
		{ features: { retriever_resource: { enabled: true } } },
	);
}

describe('paused chat turns', () => {
	let gateway: GatewayProcess;
	const createDocumentFolder = () => {
		const path_ = createTemporaryFolder();
		fs.writeFileSync(path.join(path_, 'leave.md'), '# Leave\nEveryone has 28 days of holiday a year.');
		return path_;
	};
	before(async () => {
		gateway = await startGateway({
			agents: { librarian: createPausingChat() },
			config: { knowledge: { handbook: { folder: createDocumentFolder() } } },
		});
	});
	after(cleanUpGateways);

	const turn = { model: 'librarian', query: 'How many days of holiday?', inputs: {}, user: 'ana', response_mode: 'streaming' };
	const getEndMetadata = (events: readonly StreamedEvent[]) => events.find(({ event }) => event === 'message_end')?.['metadata'];
	async function runUntilPause() {
		const events = await (await gateway.openStream('/v1/agent/chat-messages', turn)).readRemainingEvents();
		assert.equal(events.at(-1)?.event, 'workflow_paused');
		const { workflow_run_id: id, conversation_id: conversation } = events[0] as StreamedEvent;
		const token: string = events.find(({ event }) => event === 'human_input_required')?.['data'].form_token;
		const spent = events.flatMap(({ event, data }) => (event === 'node_finished' && data.outputs.usage ? [data.outputs.usage] : []));
		return { id: id as string, conversation: conversation as string, token, spent };
	}
	const followRun = (id: string) => gateway.openFollowStream(`/v1/agent/workflow/${id}/events?model=librarian&user=ana`);
	const answerForm = (token: string) =>
		gateway.send('POST', `/v1/agent/form/human_input/${token}`, { inputs: {}, action: 'ok', user: 'ana' });
	const readStoredMessage = async (conversation: string) =>
		(await gateway.send('GET', `/v1/agent/messages?model=librarian&user=ana&conversation_id=${conversation}`)).json.data[0];

	it('end with the sources found before the pause, for all followers and in the store', async () => {
		const { id, conversation, token } = await runUntilPause();
		const [stream, other] = [await followRun(id), await followRun(id)];
		await answerForm(token);
		const ends = [
			getEndMetadata(await stream.readRemainingEvents()),
			getEndMetadata(await other.readRemainingEvents()),
			getEndMetadata(await (await followRun(id)).readRemainingEvents()),
		];
		for (const end of ends) {
			assert.deepEqual(
				end.retriever_resources.map((each: { document_name: string }) => each.document_name),
				['leave.md'],
			);
			assert.deepEqual(end, ends[0]);
		}
		assert.deepEqual((await readStoredMessage(conversation)).retriever_resources, ends[0].retriever_resources);
	});

	it('count tokens spent before the pause', async () => {
		const { id, token, spent } = await runUntilPause();
		const stream = await followRun(id);
		await answerForm(token);
		const events = await stream.readRemainingEvents();
		const { usage } = getEndMetadata(events);
		const later = events.flatMap(({ event, data }) => (event === 'node_finished' && data.outputs.usage ? [data.outputs.usage] : []));
		const sumUsage = (name: string) => [...spent, ...later].reduce((total, each) => total + each[name], 0);
		assert.deepEqual([spent.length, later.length], [1, 1]);
		assert.deepEqual([usage.prompt_tokens, usage.completion_tokens], [sumUsage('prompt_tokens'), sumUsage('completion_tokens')]);
		assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
	});

	it('are sent complete, with the sources, to followers that join after the answer', async () => {
		const { id, conversation, token } = await runUntilPause();
		await answerForm(token);
		const events = await (await followRun(id)).readRemainingEvents();
		const { answer: whole, retriever_resources: sources } = await readStoredMessage(conversation);
		assert.deepEqual(getEndMetadata(events).retriever_resources, sources);
		const replaced = events.findLast(({ event }) => event === 'message_replace')?.['answer'];
		const pieces = events.filter(({ event }) => event === 'message').map(each => each['answer'] as string);
		assert.ok(replaced === whole || whole.endsWith(pieces.join('')), JSON.stringify([replaced, pieces, whole]));
	});

	it('keep their sources if they are stopped while paused', async () => {
		const { id, conversation } = await runUntilPause();
		const stream = await followRun(id);
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${id}?model=librarian`);
		assert.equal(json.status, 'paused');
		const started = await gateway.openFollowStream(`/v1/agent/workflows/run/${id}/events?model=librarian`);
		const { task_id: task } = await started.waitForEvent('workflow_started');
		await gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model: 'librarian', user: 'ana' });
		const end = getEndMetadata(await stream.readRemainingEvents());
		assert.equal(end.retriever_resources.length, 1);
		assert.equal((await readStoredMessage(conversation)).status, 'normal');
		await started.cancel();
	});
});
