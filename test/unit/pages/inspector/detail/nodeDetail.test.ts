import assert from 'node:assert/strict';
import { findNodeLine } from '#pages/graph/picture/agentPicture.ts';
import { nodeDetail } from '#pages/inspector/detail/nodeDetail.ts';
import type { JournalEntry } from '#runs/events/journalEntry.ts';

describe('the detail of a node', () => {
	const finished = (data: object): JournalEntry => ({ at: 0, event: { event: 'node_finished', data } }) as unknown as JournalEntry;
	const prompts = [
		{ role: 'system', text: 'Be brief.', files: [] },
		{ role: 'user', text: 'Line one\nline two', files: [] },
	];

	it('of a model is a conversation, with what it took', () => {
		const { conversation } = nodeDetail(
			[
				finished({
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

	it('of a model has its warnings, such as that the offline model answered', () => {
		const warning = "The offline model answered in place of 'm1': it is built in and not a language model.";
		const warningsOf = (warnings: unknown) => nodeDetail([finished({ process_data: { warnings }, outputs: {} })], '').warnings;
		assert.deepEqual([warningsOf([warning, 7]), warningsOf([]), warningsOf('none')], [[warning], undefined, undefined]);
	});

	it('of a change by hand has the value and what was there, also where that is nothing', () => {
		const set = (data: object): JournalEntry => ({ at: 0, event: { event: 'variable_set', data } }) as unknown as JournalEntry;
		const { outputs } = nodeDetail([set({ selector: ['a', 'x'], value: null, previous: 3 })], '');
		assert.deepEqual(JSON.parse(outputs ?? ''), { value: null, previous: 3 });
	});

	it('has no conversation where no prompts are told, and takes those of any form', () => {
		assert.equal(nodeDetail([finished({ process_data: {}, outputs: { text: 'x' } })], '').conversation, undefined);
		const odd = [null, 5, { role: 7, content: [{ type: 'text', text: 'hi' }] }, { role: 'tool', content: 'ok' }];
		const { conversation } = nodeDetail([finished({ process_data: { prompts: odd }, outputs: null })], '');
		assert.deepEqual(
			conversation?.messages.map(({ role, text }) => [role, text.replaceAll(/\s/g, '')]),
			[
				['', '[{"type":"text","text":"hi"}]'],
				['tool', 'ok'],
			],
		);
	});
});

describe('what the agent file says of a node, beside the run', () => {
	const told = (data: object) => [{ at: 0, event: { event: 'node_finished', data } } as unknown as JournalEntry];
	const prompts = [
		{ role: 'system', text: 'Be brief.' },
		{ role: 'user', text: 'About cats' },
	];

	it('is a template with its output, code with its inputs and result, prompts with what the model was told', () => {
		const template = nodeDetail(told({ outputs: { output: 'Hi Ada' } }), '', { type: 'template-transform', template: 'Hi {{ name }}' });
		assert.deepEqual(template.written, [
			{ text: 'Hi {{ name }}', language: 'jinja', became: [{ part: 'filled', text: 'Hi Ada', isText: true }] },
		]);
		const code = nodeDetail(told({ inputs: { a: 1 }, outputs: { b: 2 } }), '', { type: 'code', code: 'x', code_language: 'python3' });
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
		const llm = nodeDetail(told({ process_data: { prompts } }), '', { type: 'llm', prompt_template });
		assert.deepEqual(
			llm.written?.map(({ role, text, became }) => [role, text, became[0]?.text]),
			[
				['system', 'Be brief.', 'Be brief.'],
				['user', 'About {{#start.topic#}}', 'About cats'],
			],
		);
	});

	it('is nothing where the two do not belong together, or one of them is not there', () => {
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
			assert.equal(nodeDetail(told(event), '', data).written, undefined);
		}
	});
});

describe('the line of a node', () => {
	const text =
		'workflow:\n  graph:\n    nodes:\n      - id: start\n        data: {type: start}\n      - data: {type: end}\n        id: 17\n';

	it('is where its entry begins, whatever its ID looks like', () => {
		assert.equal(findNodeLine(text, 'start'), 4);
		assert.equal(findNodeLine(text, '17'), 6);
	});

	it('is none of a node that the file does not have, or of a text that is no agent file', () => {
		assert.equal(findNodeLine(text, 'gone'), undefined);
		assert.equal(findNodeLine('a: [', 'start'), undefined);
	});
});
