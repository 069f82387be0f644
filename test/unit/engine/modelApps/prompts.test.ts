import assert from 'node:assert/strict';
import { completionModel, createTestApp, listSentTexts, runTurn } from './modelAppFixture.ts';

const name = { 'text-input': { variable: 'name', label: 'Name', required: false } };
const knowledge = {
	search: async () => ({
		items: [{ content: 'The sea is wet.' }, { content: 'So is rain.' }] as never,
		notes: ['one dataset is still being read'],
	}),
	listMetadataNames: async () => [],
};
const datasets = { dataset_configs: { datasets: { datasets: [{ dataset: { enabled: true, id: 'd1' } }] } } };
const createChatPrompt = (...prompt: [string, string][]) => ({
	prompt_type: 'advanced',
	chat_prompt_config: { prompt: prompt.map(([role, text]) => ({ role, text })) },
});
const createCompletionPrompt = (text: string, names?: [string, string]) => ({
	...completionModel,
	prompt_type: 'advanced',
	completion_prompt_config: {
		prompt: { text },
		...(names && { conversation_histories_role: { user_prefix: names[0], assistant_prefix: names[1] } }),
	},
});

describe('prompts of apps without a graph', () => {
	const cases: [string, object, Parameters<typeof runTurn>[1], readonly string[], string?][] = [
		['simple: the text is the system, the query the user', { pre_prompt: 'Be kind.' }, { query: 'Hi' }, ['system: Be kind.\n', 'user: Hi']],
		['simple: no text, no system', {}, { query: 'Hi' }, ['user: Hi']],
		[
			'simple: inputs as text',
			{ pre_prompt: '{{name}}!', user_input_form: [name] },
			{ query: 'Hi', inputs: { name: 'Ana' } },
			['system: Ana!\n', 'user: Hi'],
		],
		[
			'simple: an input that is left out is empty',
			{ pre_prompt: '<{{name}}>', user_input_form: [name] },
			{ query: 'Hi' },
			['system: <>\n', 'user: Hi'],
		],
		[
			'simple: what is not known stays',
			{ pre_prompt: '{{who}} {{ name }} {{#query#}} {{#context#}} {{#sys.query#}}' },
			{ query: 'Hi' },
			['system: {{who}} {{ name }} {{#query#}} {{#context#}} {{#sys.query#}}\n', 'user: Hi'],
		],
		[
			'simple: names of prototypes are not known',
			{ pre_prompt: '{{__proto__}} {{constructor}} {{toString}}' },
			{ query: 'Hi' },
			['system: {{__proto__}} {{constructor}} {{toString}}\n', 'user: Hi'],
		],
		[
			'simple: what is filled in is not filled again',
			{ pre_prompt: '{{a}}{{b}}', user_input_form: [{ paragraph: { variable: 'a' } }, { paragraph: { variable: 'b' } }] },
			{ query: '{{a}}', inputs: { a: '{{b}} $& {{#context#}}', b: 'B' } },
			['system: {{b}} $& {{#context#}}B\n', 'user: {{a}}'],
		],
		[
			'simple: numbers and booleans',
			{ pre_prompt: '{{n}} {{b}}', user_input_form: [{ number: { variable: 'n' } }, { checkbox: { variable: 'b' } }] },
			{ query: 'x', inputs: { n: '3', b: true } },
			['system: 3 True\n', 'user: x'],
		],
		[
			'simple: earlier turns come before the query',
			{ pre_prompt: 'S' },
			{ query: 'Q3', said: ['Q1', 'A1', 'Q2', 'A2'] },
			['system: S\n', 'user: Q1', 'assistant: A1', 'user: Q2', 'assistant: A2', 'user: Q3'],
		],
		[
			'simple completion app: the text is the user',
			{ pre_prompt: 'Write of {{name}}', user_input_form: [name] },
			{ inputs: { name: 'rain' } },
			['user: Write of rain\n'],
			'completion',
		],
		[
			'simple, one text: query and answer are marked',
			{ ...completionModel, pre_prompt: 'P' },
			{ query: 'Q' },
			['user: P\n\n\nHuman: Q\n\nAssistant: '],
		],
		['simple, one text, completion app', { ...completionModel, pre_prompt: 'P' }, {}, ['user: P\n'], 'completion'],
		[
			'advanced: messages in their order, the query last',
			createChatPrompt(['system', 'S {{name}}'], ['user', 'U'], ['assistant', 'A']),
			{ query: 'Q' },
			['system: S {{name}}', 'user: U', 'assistant: A', 'user: Q'],
		],
		[
			'advanced: earlier turns before the query',
			createChatPrompt(['system', 'S']),
			{ query: 'Q2', said: ['Q1', 'A1'] },
			['system: S', 'user: Q1', 'assistant: A1', 'user: Q2'],
		],
		[
			'advanced: a message that says the query is the question',
			createChatPrompt(['system', 'S'], ['user', 'Q: {{#query#}}']),
			{ query: 'Q2', said: ['Q1', 'A1'] },
			['system: S', 'user: Q1', 'assistant: A1', 'user: Q: Q2'],
		],
		[
			'advanced: a place for earlier turns',
			createChatPrompt(['system', '[{{#histories#}}]']),
			{ query: 'Q2', said: ['Q1', 'A1'] },
			['system: [Human: Q1\nAssistant: A1]', 'user: Q2'],
		],
		['advanced: no knowledge, no context', createChatPrompt(['system', '[{{#context#}}]']), { query: 'Q' }, ['system: []', 'user: Q']],
		[
			'advanced: knowledge',
			{ ...createChatPrompt(['system', '[{{#context#}}]']), ...datasets },
			{ query: 'Q', services: { knowledge } },
			['system: [The sea is wet.\nSo is rain.]', 'user: Q'],
		],
		['advanced: empty messages are left out', createChatPrompt(['system', ''], ['user', '{{#context#}}']), { query: 'Q' }, ['user: Q']],
		[
			'advanced, one text',
			createCompletionPrompt('{{#histories#}}\n{{#query#}} {{name}}', ['U', 'B']),
			{ query: 'Q2', said: ['Q1', 'A1'] },
			['user: U: Q1\nB: A1\nQ2 {{name}}'],
		],
		[
			'advanced, one text, names of speakers that are left out',
			createCompletionPrompt('{{#histories#}}'),
			{ query: 'Q2', said: ['Q1', 'A1'] },
			['user: Human: Q1\nAssistant: A1'],
		],
	];
	for (const [title, config, given, expected, mode] of cases) {
		it(title, async () => {
			const done = await runTurn(createTestApp(config, mode), given);
			assert.equal(done.data.error, null);
			assert.deepEqual(listSentTexts(done), expected);
		});
	}

	it('put knowledge into a block before a simple text', async () => {
		const done = await runTurn(createTestApp({ pre_prompt: 'S', ...datasets }), { query: 'Q', services: { knowledge } });
		assert.match(listSentTexts(done)[0] ?? '', /^system: [\s\S]*<context>\nThe sea is wet\.\nSo is rain\.\n<\/context>[\s\S]*\n\nS\n$/);
		assert.match(JSON.stringify(done.events), /one dataset is still being read/);
	});

	it("search for the user's question, or the input that the app names, only in enabled datasets", async () => {
		const searched: unknown[] = [];
		const services = {
			knowledge: {
				...knowledge,
				search: async (query: object) => {
					searched.push(query);
					return { items: [], notes: [] };
				},
			},
		};
		const createDataset = (id: string, enabled: boolean) => ({ dataset: { id, enabled } });
		const configs = {
			retrieval_model: 'multiple',
			top_k: 2,
			score_threshold: 0.5,
			datasets: { datasets: [createDataset('a', true), createDataset('b', false)] },
		};
		await runTurn(createTestApp({ dataset_configs: configs }), { query: 'Q', services });
		const form = { user_input_form: [name], dataset_query_variable: 'name', pre_prompt: 'P' };
		await runTurn(createTestApp({ ...form, dataset_configs: { ...configs, score_threshold_enabled: false } }, 'completion'), {
			inputs: { name: 'N' },
			services,
		});
		await runTurn(createTestApp({ ...form, dataset_configs: configs }, 'completion'), { services });
		assert.deepEqual(searched, [
			{ text: 'Q', datasets: ['a'], mode: 'multiple', topK: 2, scoreThreshold: 0.5 },
			{ text: 'N', datasets: ['a'], mode: 'multiple', topK: 2 },
		]);
	});

	it('say where datasets would have to be', async () => {
		const { data } = await runTurn(createTestApp(datasets), { query: 'Q' });
		assert.match(data.error ?? '', /datasets/);
	});

	it('put earlier turns into a block of one text, and stop before the model speaks for the user', async () => {
		const done = await runTurn(createTestApp({ ...completionModel, pre_prompt: 'P' }), { query: 'Q2', said: ['Q1', 'A1'] });
		assert.match(
			listSentTexts(done)[0] ?? '',
			/^user: P\n[\s\S]*<histories>\nHuman: Q1\nAssistant: A1\n<\/histories>\n\n\n\nHuman: Q2\n\nAssistant: $/,
		);
		assert.deepEqual(done.asked[0]?.stop, ['\nHuman:', '</histories>']);
	});

	it('contain as many complete last turns as fit', async () => {
		const said = ['old question', 'old answer', 'question '.repeat(10), 'short'];
		const countRemembered = async (context: number) =>
			listSentTexts(
				await runTurn(createTestApp({ model: { name: 'm', completion_params: { max_tokens: 100 } } }), { query: 'Q', said, context }),
			).length;
		assert.deepEqual(
			[
				await countRemembered(105),
				await countRemembered(144),
				await countRemembered(145),
				await countRemembered(160),
				await countRemembered(161),
			],
			[1, 1, 3, 3, 5],
		);
	});

	it('fail with a message if they are empty', async () => {
		const { data } = await runTurn(createTestApp({}, 'completion'));
		assert.match(data.error ?? '', /prompt is empty/);
	});

	it('fill in a hundred thousand placeholders', async () => {
		const done = await runTurn(createTestApp({ pre_prompt: '{{name}}{{'.repeat(100_000), user_input_form: [name] }), {
			query: 'Q',
			inputs: { name: 'x' },
		});
		assert.equal(done.data.status, 'succeeded');
		assert.equal(listSentTexts(done)[0]?.length, 'system: \n'.length + 300_000);
	});
});
