import assert from 'node:assert/strict';
import { addAnswerToSuite, createPromptCase } from '#editor/prompts/promptCases.ts';
import type { PromptColumn, PromptMessage, PromptState } from '#pages/prompt/promptMessages.ts';

const createColumn = (endpoint: PromptColumn['endpoint']): PromptColumn => ({
	id: 'a',
	connectionId: 'c',
	connection: 'C',
	endpoint,
	model: 'small',
	answer: { text: 'Waves.', reply: { status: 'done', endpoint, connection: 'C', model: 'small' } },
});

const createState = (messages: readonly Omit<PromptMessage, 'id'>[], variables: Readonly<Record<string, string>> = {}): PromptState => ({
	source: { title: 'Write' },
	prompt: {
		messages: messages.map((message, at) => ({ id: String(at), ...message })),
		variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
		parameters: { temperature: 0.5 },
	},
	columns: [],
});

describe('the test case of an answer', () => {
	it('has the request with placeholders for the references, and expects a similar answer', () => {
		const state = createState(
			[
				{ role: 'system', text: 'Be brief.' },
				{ role: 'user', text: 'Sum {{#start.text#}} like {{#other.text#}}.' },
			],
			{ 'start.text': 'the sea', 'other.text': 'a poem' },
		);
		assert.deepEqual(createPromptCase(createColumn('messages'), state), {
			name: 'the sea',
			target: {
				chat: {
					endpoint: 'messages',
					model: 'small',
					max_tokens: 4096,
					temperature: 0.5,
					system: 'Be brief.',
					messages: [{ role: 'user', content: 'Sum {{text}} like {{text_2}}.' }],
				},
			},
			fields: {
				inputs: { text: 'the sea', text_2: 'a poem' },
				expect: [{ status: 'succeeded' }, { output: 'text', similar: { to: 'Waves.' } }],
			},
		});
	});

	it('has an input for the message of a prompt without references, and for text that looks like a placeholder', () => {
		const plain = createPromptCase(createColumn('content'), createState([{ role: 'user', text: 'Hello' }]));
		assert.deepEqual(plain.target, {
			chat: {
				endpoint: 'content',
				model: 'small',
				contents: [{ role: 'user', parts: [{ text: '{{message}}' }] }],
				generationConfig: { temperature: 0.5 },
			},
		});
		assert.deepEqual(plain.fields.inputs, { message: 'Hello' });
		const braces = createPromptCase(createColumn('messages'), createState([{ role: 'user', text: 'Fill {{name}} in' }]));
		assert.deepEqual(braces.fields.inputs, { message: 'Fill {{name}} in' });
	});

	it('asks an agent the last message', () => {
		const { target, fields } = createPromptCase(createColumn('agent'), createState([{ role: 'user', text: 'Hello' }]));
		assert.deepEqual(target, { model: 'small' });
		assert.deepEqual([fields.query, fields.expect[1]], ['Hello', { output: 'answer', similar: { to: 'Waves.' } }]);
	});

	it("is refused for services that suites can't call", () => {
		assert.throws(() => createPromptCase(createColumn('chatCompletions'), createState([{ role: 'user', text: 'Hello' }])), {
			reason: 'no-suite',
		});
	});

	it("isn't made of a part of an answer", async () => {
		const column = createColumn('messages');
		const state = createState([{ role: 'user', text: 'Hello' }]);
		for (const status of ['streaming', 'stopped', 'failed', 'interrupted'] as const) {
			const answer = { ...column.answer!, reply: { ...column.answer!.reply, status } };
			await assert.rejects(addAnswerToSuite({ ...column, answer }, state), /The answer isn't complete/);
		}
		const { reply } = column.answer!;
		const cut = { ...column.answer!, reply: { ...reply, finish: { reason: 'length', text: 'Cut', notable: true } } };
		await assert.rejects(addAnswerToSuite({ ...column, answer: cut }, state), /The answer isn't complete/);
	});
});
