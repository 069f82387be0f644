import assert from 'node:assert/strict';
import { AgentEndpoint } from '../../../../src/chat/endpoints/agentEndpoint.ts';
import type { ChatRequest, ReplyStep } from '../../../../src/chat/endpoints/endpoint.ts';
import type { Turn } from '../../../../src/chat/transcript.ts';
import type { ServiceClient } from '../../../../src/client/client.ts';
import type { AgentSummary, AgentVariable } from '../../../../src/protocol/agents.ts';
import { words } from '../words.ts';

const turn = (role: Turn['role'], text: string): Turn => ({ id: text, parent: null, role, parts: [{ kind: 'text', text }], at: 0 });
const variable = (name: string, type = 'paragraph', required = true): AgentVariable => ({ variable: name, label: name, type, required });
const agent = (mode: string, ...variables: AgentVariable[]) => ({ name: 'helper', mode, variables }) as unknown as AgentSummary;
const request = (fields: Partial<ChatRequest> = {}): ChatRequest => ({
	model: 'helper',
	system: '',
	settings: {},
	turns: [turn('user', 'hi')],
	user: 'ana',
	...fields,
});
async function* events(all: unknown[]): AsyncIterable<unknown> {
	yield* all;
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const each of all) {
		list.push(each);
	}
	return list;
}

/** Steps of a reply, and the body that was sent. */
async function ask(
	of: AgentSummary | undefined,
	sent: ChatRequest,
	came: unknown[],
): Promise<{ steps: ReplyStep[]; body: Record<string, unknown> }> {
	let body: Record<string, unknown> = {};
	const answer = (b: Record<string, unknown>) => {
		body = b;
		return events(came);
	};
	const client = { streamChatMessage: answer, streamWorkflow: answer } as unknown as ServiceClient;
	const steps = await collect(new AgentEndpoint(words, of).reply(client, sent, new AbortController().signal));
	return { steps, body };
}

const finished = (fields: object) => ({
	event: 'workflow_finished',
	task_id: 't',
	data: { status: 'succeeded', outputs: {}, total_tokens: 0, ...fields },
});

describe('an agent that converses', () => {
	const came = [
		{ event: 'message', task_id: 't', conversation_id: 'conv', answer: 'Hel' },
		{ event: 'message', task_id: 't', conversation_id: 'conv', answer: 'lo' },
		{ event: 'message_end', task_id: 't', conversation_id: 'conv', metadata: { usage: { prompt_tokens: 3, completion_tokens: 2 } } },
	];

	it('answers, and names the conversation', async () => {
		const { steps, body } = await ask(agent('advanced-chat'), request(), came);
		assert.deepEqual(body, { model: 'helper', query: 'hi', inputs: {}, user: 'ana' });
		assert.deepEqual(
			steps.map(step => step.type),
			['conversation', 'part', 'text', 'text', 'usage', 'finish'],
		);
	});

	it('goes on with its conversation', async () => {
		const turns = [turn('user', 'hi'), turn('assistant', 'Hello'), turn('user', 'more')];
		const { body } = await ask(agent('chat'), request({ turns, conversationId: 'conv' }), came);
		assert.equal(body['query'], 'more');
		assert.equal(body['conversation_id'], 'conv');
	});

	it('is told the turns before where it does not know them', async () => {
		const turns = [turn('user', 'hi'), turn('assistant', 'Hello'), turn('user', 'more')];
		const { body } = await ask(undefined, request({ turns }), came);
		assert.equal(body['query'], 'User: hi\n\nAssistant: Hello\n\nUser: more');
	});

	it('takes back what its moderation replaces', async () => {
		const { steps } = await ask(agent('chat'), request(), [came[0], { event: 'message_replace', answer: 'no' }, came[2]]);
		assert.ok(steps.some(step => step.type === 'patch' && step.fields.text === 'no'));
	});
});

describe('an agent that is a workflow', () => {
	it('gets the message in its one text variable, and answers with its one text', async () => {
		const { steps, body } = await ask(agent('workflow', variable('text'), variable('count', 'number', false)), request(), [
			finished({ outputs: { result: 'done' } }),
		]);
		assert.deepEqual(body['inputs'], { text: 'hi' });
		assert.deepEqual(steps[0], { type: 'part', part: { kind: 'text', text: 'done' } });
	});

	it('says which values are needed before anything is sent', async () => {
		const reply = ask(agent('workflow', variable('text'), variable('language', 'select')), request(), []);
		await assert.rejects(reply, /"helper" needs values for language\. Set them as "inputs" in the settings\./);
		const { body } = await ask(
			agent('workflow', variable('text'), variable('language', 'select')),
			request({ settings: { inputs: { language: 'de' } } }),
			[finished({})],
		);
		assert.deepEqual(body['inputs'], { language: 'de', text: 'hi' });
	});

	it('says that a message has nowhere to go', async () => {
		await assert.rejects(ask(agent('workflow'), request(), []), /takes no text/);
	});

	it('streams its text chunks, and shows several outputs as JSON where there are none', async () => {
		const chunk = { event: 'text_chunk', task_id: 't', data: { text: 'a' } };
		const streamed = await ask(agent('workflow', variable('text')), request(), [chunk, chunk, finished({ outputs: { text: 'aa' } })]);
		assert.equal(streamed.steps.filter(step => step.type === 'text').length, 2);
		const whole = await ask(agent('workflow', variable('text')), request(), [finished({ outputs: { a: 1, b: 2 } })]);
		assert.match(JSON.stringify(whole.steps[0]), /```json/);
	});

	it('says why the run failed', async () => {
		await assert.rejects(
			ask(agent('workflow', variable('text')), request(), [finished({ status: 'failed', error: 'no such file' })]),
			/The run failed: no such file/,
		);
	});

	it('is stopped at its service, by the task that its first event names', async () => {
		const stop = new AbortController();
		const told: unknown[] = [];
		const client = {
			async *streamWorkflow() {
				yield { event: 'workflow_started', task_id: 'task-1' };
				stop.abort();
				yield finished({ status: 'stopped', outputs: null });
			},
			stopRun: async (...args: unknown[]) => void told.push(args),
		} as unknown as ServiceClient;
		const steps = await collect(new AgentEndpoint(words, agent('workflow', variable('text'))).reply(client, request(), stop.signal));
		assert.deepEqual(told, [['task-1', { model: 'helper', user: 'ana' }]]);
		assert.equal(steps.at(-1)?.type, 'finish');
	});
});
