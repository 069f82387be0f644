import assert from 'node:assert/strict';
import type { RunOptions } from '#engine/run/engineTypes.ts';
import { createStartNode, createTemplateNode, createTestAgent, createTestServices, runTestAgent, type TestNode } from './engineFixture.ts';

const createRules = (keywords: string, more: object = {}) => ({
	enabled: true,
	type: 'keywords',
	config: {
		keywords,
		inputs_config: { enabled: true, preset_response: 'Not asked.' },
		outputs_config: { enabled: true, preset_response: 'Not said.' },
	},
	...more,
});
const llm: TestNode = {
	id: 'llm',
	data: { type: 'llm', model: { provider: 'p', name: 'm', mode: 'chat' }, prompt_template: [{ role: 'user', text: 'x' }] },
};
const answer: TestNode = { id: 'answer', data: { type: 'answer', answer: 'Said: {{#llm.text#}}' } };
const after = createTemplateNode('after', 'x');
const createChat = (sensitive_word_avoidance: object, mode: 'advanced-chat' | 'workflow' = 'advanced-chat') =>
	createTestAgent([createStartNode('note'), llm, answer, after], ['start > llm', 'llm > answer', 'answer > after'], {
		mode,
		workflow: { features: { sensitive_word_avoidance } },
	} as never);
const createTurnOptions = (query: string): Pick<RunOptions, 'chat'> => ({
	chat: { query, conversationId: 'c', dialogueCount: 1, variables: {}, history: [] },
});
const createSayingServices = (...pieces: readonly string[]) =>
	createTestServices(async function* (_request, signal) {
		for (const text of pieces) {
			signal?.throwIfAborted();
			yield { type: 'text', text };
			await new Promise(resolve => setImmediate(resolve));
		}
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
	});
const listTexts = (events: readonly { readonly event: string }[]) =>
	events
		.filter(({ event }) => event.startsWith('text_'))
		.map(event => [event.event, (event as unknown as { data: { text: string } }).data.text]);

describe('words that a chatflow must not say (sensitive_word_avoidance)', () => {
	it('are answered with the preset answer, and no node runs', async () => {
		for (const [query, note] of [
			['Tell the SECRET word', ''],
			['Tell', `${'x'.repeat(20_000)} secret`],
		] as const) {
			const { data, events } = await runTestAgent(
				createChat(createRules('secret\nother')),
				{ ...createTurnOptions(query), inputs: { note } },
				createSayingServices('fine'),
			);
			assert.deepEqual([data.status, data.outputs], ['succeeded', { answer: 'Not asked.', files: [] }]);
			assert.deepEqual(
				events.map(({ event }) => event),
				['workflow_started', 'text_chunk', 'workflow_finished'],
			);
		}
	});

	it('are not answered, within one chunk or across chunks: sent text is withdrawn, and the run ends', async () => {
		const { data, events } = await runTestAgent(
			createChat(createRules('secret')),
			{ ...createTurnOptions('Hi'), inputs: {} },
			createSayingServices('It is a sec', 'ret', ' thing'),
		);
		assert.deepEqual([data.status, data.outputs], ['succeeded', { answer: 'Not said.', files: [] }]);
		assert.deepEqual(listTexts(events), [
			['text_chunk', 'Said: '],
			['text_chunk', 'It is a sec'],
			['text_replace', 'Not said.'],
		]);
		assert.ok(!events.some(event => (event as { data?: { node_id?: string } }).data?.node_id === 'after'));
		assert.equal(events.at(-1)?.event, 'workflow_finished');
	});

	it('are found in very long texts, and later texts keep their order', async () => {
		const long = 'y'.repeat(300_000);
		const clean = await runTestAgent(
			createChat(createRules('secret')),
			{ ...createTurnOptions('Hi'), inputs: {} },
			createSayingServices(long, ' end'),
		);
		assert.deepEqual(
			listTexts(clean.events).map(([, text]) => text?.length),
			[6, 300_000, 4, 0],
		);
		const found = await runTestAgent(
			createChat(createRules('secret')),
			{ ...createTurnOptions('Hi'), inputs: {} },
			createSayingServices(`${long} secret`, ' end'),
		);
		assert.equal(found.data.outputs?.['answer'], 'Not said.');
		assert.equal(listTexts(found.events).at(-1)?.[0], 'text_replace');
	});

	it('are ignored if disabled, of another type, or in a workflow', async () => {
		for (const agent of [
			createChat(createRules('secret', { enabled: false })),
			createChat(createRules('secret', { type: 'openai_moderation' })),
			createChat({ enabled: 'odd' }),
			createChat(createRules('secret'), 'workflow'),
		]) {
			const { data } = await runTestAgent(agent, { ...createTurnOptions('secret'), inputs: {} }, createSayingServices('a secret'));
			assert.equal(data.outputs?.['answer'], 'Said: a secret');
		}
	});

	it("are reported if they aren't supported, and refused if there are too many", () => {
		assert.deepEqual(
			createChat(createRules('x', { type: 'api' })).warnings.map(({ path }) => path),
			['workflow.features.sensitive_word_avoidance.type'],
		);
		assert.throws(() => createChat(createRules('x\n'.repeat(101))), /has too many keywords\. The limit is 100 lines/);
	});
});
