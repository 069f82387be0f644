import assert from 'node:assert/strict';
import { findNodeLine } from '#pages/graph/picture/agentPicture.ts';
import { getNodeDetail } from '#pages/inspector/detail/nodeDetail.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';

describe('getNodeDetail', () => {
	const createFinishedEntry = (data: object): JournalEntry =>
		({ at: 0, event: { event: 'node_finished', data } }) as unknown as JournalEntry;
	const prompts = [
		{ role: 'system', text: 'Be brief.', files: [] },
		{ role: 'user', text: 'Line one\nline two', files: [] },
	];

	it('shows a model call as a conversation with its token counts', () => {
		const { conversation } = getNodeDetail(
			[
				createFinishedEntry({
					process_data: { model_name: 'm1', prompts, usage: { prompt_tokens: 310, completion_tokens: 95 } },
					outputs: { text: 'Done.', finish_reason: 'stop' },
				}),
			],
			'',
		);
		assert.deepEqual(conversation, {
			messages: [
				{ role: 'system', text: 'Be brief.' },
				{ role: 'user', text: 'Line one\nline two' },
				{ role: 'assistant', text: 'Done.' },
			],
			model: 'm1',
			finish: 'stop',
			tokensIn: 310,
			tokensOut: 95,
		});
	});

	it('shows warnings of the model, for example that the offline model answered', () => {
		const warning = "The offline model replied instead of 'm1'. It's built in and isn't a language model.";
		const getWarnings = (warnings: unknown) =>
			getNodeDetail([createFinishedEntry({ process_data: { warnings }, outputs: {} })], '').warnings;
		assert.deepEqual([getWarnings([warning, 7]), getWarnings([]), getWarnings('none')], [[warning], undefined, undefined]);
	});

	it('shows the new and the previous value of a manual change, also if one is null', () => {
		const createVariableEntry = (data: object): JournalEntry =>
			({ at: 0, event: { event: 'variable_set', data } }) as unknown as JournalEntry;
		const { outputs } = getNodeDetail([createVariableEntry({ selector: ['a', 'x'], value: null, previous: 3 })], '');
		assert.deepEqual(JSON.parse(outputs ?? ''), { value: null, previous: 3 });
	});

	it('shows all entries as JSON, but formats only as many as are shown', () => {
		let formatted = 0;
		const toJSON = () => ({ id: 'a', list: [1, `line\n${'x'.repeat(1000)}`], count: formatted++ });
		const entries = Array.from({ length: 5000 }, () => createFinishedEntry({ toJSON }));
		const [few, many] = [entries.slice(0, 2), entries].map(each => getNodeDetail(each, '').raw);
		formatted = 0;
		const expected = [toJSON(), toJSON()].map(data => ({ at: '1970-01-01T00:00:00.000Z', event: 'node_finished', data }));
		assert.equal(few, JSON.stringify(expected, undefined, 2));
		formatted = 0;
		getNodeDetail(entries, '');
		assert.ok(formatted < 500, `${formatted} entries`);
		assert.equal(many?.length, 400_000);
	});

	it('shows no conversation without prompts, and accepts prompts of any form', () => {
		assert.equal(getNodeDetail([createFinishedEntry({ process_data: {}, outputs: { text: 'x' } })], '').conversation, undefined);
		const odd = [null, 5, { role: 7, content: [{ type: 'text', text: 'hi' }] }, { role: 'tool', content: 'ok' }];
		const { conversation } = getNodeDetail([createFinishedEntry({ process_data: { prompts: odd }, outputs: null })], '');
		assert.deepEqual(
			conversation?.messages.map(({ role, text }) => [role, text.replaceAll(/\s/g, '')]),
			[
				['', '[{"type":"text","text":"hi"}]'],
				['tool', 'ok'],
			],
		);
	});
});

describe('comparison of a node in the agent file with the run', () => {
	const createFinishedEntries = (data: object) => [{ at: 0, event: { event: 'node_finished', data } } as unknown as JournalEntry];
	const prompts = [
		{ role: 'system', text: 'Be brief.' },
		{ role: 'user', text: 'About cats' },
	];

	it('pairs a template with its output, code with its inputs and outputs, prompts with the sent messages', () => {
		const template = getNodeDetail(createFinishedEntries({ outputs: { output: 'Hi Ada' } }), '', {
			type: 'template-transform',
			template: 'Hi {{ name }}',
		});
		assert.deepEqual(template.written, [
			{ text: 'Hi {{ name }}', language: 'jinja', became: [{ part: 'filled', text: 'Hi Ada', isText: true }] },
		]);
		const code = getNodeDetail(createFinishedEntries({ inputs: { a: 1 }, outputs: { b: 2 } }), '', {
			type: 'code',
			code: 'x',
			code_language: 'python3',
		});
		assert.deepEqual(
			code.written?.map(({ language, became }) => [language, became.map(({ part, text }) => [part, JSON.parse(text)])]),
			[
				[
					'python',
					[
						['inputs', { a: 1 }],
						['outputs', { b: 2 }],
					],
				],
			],
		);
		const prompt_template = [
			{ role: 'system', text: 'Be brief.' },
			{ role: 'user', text: 'About {{#start.topic#}}' },
		];
		const llm = getNodeDetail(createFinishedEntries({ process_data: { prompts } }), '', { type: 'llm', prompt_template });
		assert.deepEqual(
			llm.written?.map(({ role, text, became }) => [role, text, became[0]?.text]),
			[
				['system', 'Be brief.', 'Be brief.'],
				['user', 'About {{#start.topic#}}', 'About cats'],
			],
		);
	});

	it('is undefined if file and run do not match, or one of them has no values', () => {
		const withMemory = { type: 'llm', prompt_template: [{ role: 'system', text: 'Be brief.' }] };
		for (const [data, event] of [
			[withMemory, { process_data: { prompts } }],
			[{ type: 'llm', prompt_template: [{ role: 'user', text: 'a' }] }, { process_data: {} }],
			[{ type: 'template-transform', template: 'a' }, { error: 'failed' }],
			[{ type: 'code', code: 'x' }, {}],
			[{ type: 'http-request' }, { outputs: { output: 'x' } }],
			[null, { outputs: {} }],
			[undefined, { outputs: { output: 'x' } }],
		] as const) {
			assert.equal(getNodeDetail(createFinishedEntries(event), '', data).written, undefined);
		}
	});
});

describe('the line of a node in the agent file', () => {
	const text =
		'workflow:\n  graph:\n    nodes:\n      - id: start\n        data: {type: start}\n      - data: {type: end}\n        id: 17\n';

	it('is the first line of its entry, also for numeric IDs', () => {
		assert.equal(findNodeLine(text, 'start'), 4);
		assert.equal(findNodeLine(text, '17'), 6);
	});

	it('is undefined for a missing node, and for invalid YAML', () => {
		assert.equal(findNodeLine(text, 'gone'), undefined);
		assert.equal(findNodeLine('a: [', 'start'), undefined);
	});
});
