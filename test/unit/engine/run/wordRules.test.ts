import assert from 'node:assert/strict';
import type { RunOptions } from '#engine/run/engineTypes.ts';
import { run, startNode, type TestNode, templateNode, testAgent, testServices } from './engineFixture.ts';

const rules = (keywords: string, more: object = {}) => ({
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
const after = templateNode('after', 'x');
const chat = (sensitive_word_avoidance: object, mode: 'advanced-chat' | 'workflow' = 'advanced-chat') =>
	testAgent([startNode('note'), llm, answer, after], ['start > llm', 'llm > answer', 'answer > after'], {
		mode,
		workflow: { features: { sensitive_word_avoidance } },
	} as never);
const turn = (query: string): Pick<RunOptions, 'chat'> => ({
	chat: { query, conversationId: 'c', dialogueCount: 1, variables: {}, history: [] },
});
const says = (...pieces: readonly string[]) =>
	testServices(async function* (_request, signal) {
		for (const text of pieces) {
			signal?.throwIfAborted();
			yield { type: 'text', text };
			await new Promise(resolve => setImmediate(resolve));
		}
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
	});
const texts = (events: readonly { readonly event: string }[]) =>
	events
		.filter(({ event }) => event.startsWith('text_'))
		.map(event => [event.event, (event as unknown as { data: { text: string } }).data.text]);

describe('words that a chatflow must not say (sensitive_word_avoidance)', () => {
	it('are not asked: the preset answer is given, and no node runs', async () => {
		for (const [query, note] of [
			['Tell the SECRET word', ''],
			['Tell', `${'x'.repeat(20_000)} secret`],
		] as const) {
			const { data, events } = await run(chat(rules('secret\nother')), { ...turn(query), inputs: { note } }, says('fine'));
			assert.deepEqual([data.status, data.outputs], ['succeeded', { answer: 'Not asked.', files: [] }]);
			assert.deepEqual(
				events.map(({ event }) => event),
				['workflow_started', 'text_chunk', 'workflow_finished'],
			);
		}
	});

	it('are not answered, in one piece or across pieces: what was told is taken back, and the run ends', async () => {
		const { data, events } = await run(chat(rules('secret')), { ...turn('Hi'), inputs: {} }, says('It is a sec', 'ret', ' thing'));
		assert.deepEqual([data.status, data.outputs], ['succeeded', { answer: 'Not said.', files: [] }]);
		assert.deepEqual(texts(events), [
			['text_chunk', 'Said: '],
			['text_chunk', 'It is a sec'],
			['text_replace', 'Not said.'],
		]);
		assert.ok(!events.some(event => (event as { data?: { node_id?: string } }).data?.node_id === 'after'));
		assert.equal(events.at(-1)?.event, 'workflow_finished');
	});

	it('are found in very long texts, and texts behind them keep their order', async () => {
		const long = 'y'.repeat(300_000);
		const clean = await run(chat(rules('secret')), { ...turn('Hi'), inputs: {} }, says(long, ' end'));
		assert.deepEqual(
			texts(clean.events).map(([, text]) => text?.length),
			[6, 300_000, 4, 0],
		);
		const found = await run(chat(rules('secret')), { ...turn('Hi'), inputs: {} }, says(`${long} secret`, ' end'));
		assert.equal(found.data.outputs?.['answer'], 'Not said.');
		assert.equal(texts(found.events).at(-1)?.[0], 'text_replace');
	});

	it('count for nothing where they are off, of another type, or of a workflow', async () => {
		for (const agent of [
			chat(rules('secret', { enabled: false })),
			chat(rules('secret', { type: 'openai_moderation' })),
			chat({ enabled: 'odd' }),
			chat(rules('secret'), 'workflow'),
		]) {
			const { data } = await run(agent, { ...turn('secret'), inputs: {} }, says('a secret'));
			assert.equal(data.outputs?.['answer'], 'Said: a secret');
		}
	});

	it('are told of where they are not kept, and refused where they are too many', () => {
		assert.deepEqual(
			chat(rules('x', { type: 'api' })).warnings.map(({ path }) => path),
			['workflow.features.sensitive_word_avoidance.type'],
		);
		assert.throws(() => chat(rules('x\n'.repeat(101))), /has too many keywords\. The limit is 100 lines/);
	});
});
