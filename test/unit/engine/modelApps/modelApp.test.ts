import assert from 'node:assert/strict';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import { checkInputs } from '#engine/run/inputs.ts';
import { createAppText, createTestApp, listSentTexts, runTurn } from './modelAppFixture.ts';

const createRules = (inputs: boolean, outputs: boolean, keywords = 'Secret\n\nbad word') => ({
	sensitive_word_avoidance: {
		enabled: true,
		type: 'keywords',
		config: {
			keywords,
			inputs_config: { enabled: inputs, preset_response: 'Not asked.' },
			outputs_config: { enabled: outputs, preset_response: 'Not said.' },
		},
	},
});

describe('an app without a graph', () => {
	it('streams its text, reports its prompt, and ends with the answer', async () => {
		const { data, trace, events } = await runTurn(createTestApp({ pre_prompt: 'P' }), { query: 'Q', reply: ['One', ' two'] });
		assert.deepEqual(data.outputs, { answer: 'One two', files: [] });
		assert.equal(data.total_tokens, 5);
		assert.deepEqual(
			trace.filter(line => line.startsWith('text_chunk')),
			['text_chunk "One"', 'text_chunk " two"', 'text_chunk ""'],
		);
		assert.match(JSON.stringify(events), /"prompts":\[\{"role":"system","text":"P\\n"\}/);
	});

	it('answers forbidden questions with the preset text, and calls no model', async () => {
		for (const [query, inputs] of [
			['A sEcReT?', {}],
			['x', { name: 'a BAD WORD here' }],
		] as const) {
			const done = await runTurn(createTestApp({ ...createRules(true, false), user_input_form: [{ paragraph: { variable: 'name' } }] }), {
				query,
				inputs,
			});
			assert.equal(done.data.outputs?.['answer'], 'Not asked.');
			assert.equal(done.asked.length, 0);
		}
		const free = await runTurn(createTestApp(createRules(false, true)), { query: 'secret' });
		assert.equal(free.data.outputs?.['answer'], 'Yes.');
	});

	it('withdraws forbidden words of its model, even across chunks', async () => {
		const { data, events } = await runTurn(createTestApp(createRules(false, true)), {
			query: 'Q',
			reply: ['Well: a b', 'ad wo', 'rd', ' and more'],
		});
		assert.equal(data.status, 'succeeded');
		assert.equal(data.outputs?.['answer'], 'Not said.');
		const texts = events
			.filter(({ event }) => event.startsWith('text_'))
			.map(event => [event.event, (event as { data: { text: string } }).data.text]);
		assert.deepEqual(texts.slice(0, 3), [
			['text_chunk', 'Well: a b'],
			['text_chunk', 'ad wo'],
			['text_replace', 'Not said.'],
		]);
	});

	it("reports rules that aren't supported", async () => {
		const agent = createTestApp({ sensitive_word_avoidance: { enabled: true, type: 'openai_moderation', config: {} } });
		assert.match(agent.warnings[0]?.message ?? '', /openai_moderation/);
		const { events } = await runTurn(agent, { query: 'Q' });
		assert.match(JSON.stringify(events), /"warnings":\["sensitive_word_avoidance/);
	});

	it('fails with a message only if the prompt needs an external data tool', async () => {
		const tools = { external_data_tools: [{ enabled: true, variable: 'weather', type: 'api', label: 'Weather' }] };
		const needed = await runTurn(createTestApp({ ...tools, pre_prompt: 'It is {{weather}}' }), { query: 'Q' });
		assert.match(needed.data.error ?? '', /\{\{weather\}\}.*external data tool 'Weather'/);
		const inForm = { user_input_form: [{ external_data_tool: { variable: 'weather', type: 'api', label: 'W' } }] };
		assert.match(
			(await runTurn(createTestApp({ ...inForm, pre_prompt: '{{weather}}' }), { query: 'Q' })).data.error ?? '',
			/external data tool 'W'/,
		);
		const spare = await runTurn(createTestApp({ ...tools, pre_prompt: 'Hello' }), { query: 'Q' });
		assert.equal(spare.data.status, 'succeeded');
		assert.equal(createTestApp(tools).warnings.length, 1);
	});

	it('sends pictures to its model if it accepts files, and reports omitted ones', async () => {
		const file = { type: 'image', transfer_method: 'remote_url', url: 'https://example.invalid/a.png' } as const;
		const on = { file_upload: { enabled: true } };
		const seen = await runTurn(createTestApp(on), { query: 'Q', options: { files: [file] } });
		assert.match(listSentTexts(seen)[0] ?? '', /"type":"image","url":"https:\/\/example\.invalid\/a\.png".*"text":"Q"/);
		assert.match(
			listSentTexts(
				await runTurn(createTestApp({ file_upload: { image: { enabled: true } } }), { query: 'Q', options: { files: [file] } }),
			)[0] ?? '',
			/a\.png/,
		);
		const blind = await runTurn(createTestApp({}), { query: 'Q', options: { files: [file] } });
		assert.deepEqual(listSentTexts(blind), ['user: Q']);
		assert.match(JSON.stringify(blind.events), /files: ignored/);
		const paper = await runTurn(createTestApp(on), { query: 'Q', options: { files: [{ ...file, type: 'document' }] } });
		assert.match(JSON.stringify(paper.events), /files: 1 ignored/);
	});

	it('sends no more pictures to its model than it accepts', async () => {
		const files = ['a', 'b', 'c'].map(
			name => ({ type: 'image', transfer_method: 'remote_url', url: `https://example.invalid/${name}.png` }) as const,
		);
		const done = await runTurn(createTestApp({ file_upload: { enabled: true, number_limits: 2 } }), { query: 'Q', options: { files } });
		assert.doesNotMatch(listSentTexts(done)[0] ?? '', /c\.png/);
		assert.match(JSON.stringify(done.events), /files: 1 ignored because the app accepts 2/);
	});

	it('lets other runs continue while it searches a long question', async () => {
		const keywords = Array.from({ length: 99 }, (_, at) => `${'a'.repeat(90)}${at}`).join('\n');
		let turns = 0;
		const ticking = setInterval(() => turns++, 1);
		const done = await runTurn(createTestApp(createRules(true, false, keywords)), { query: 'a'.repeat(500_000) });
		clearInterval(ticking);
		assert.equal(done.data.outputs?.['answer'], 'Yes.');
		assert.ok(turns > 5, `${turns} turns`);
		const found = await runTurn(createTestApp(createRules(true, false, keywords)), { query: `${'a'.repeat(8_192)}7` });
		assert.equal(found.data.outputs?.['answer'], 'Not asked.', 'also across the pieces that it looks at');
	});

	it('passes on the parameters of its model', async () => {
		const completion_params = { temperature: 0.2, stop: ['END'], seed: 7, top_p: '0.5', response_format: 'json_object' };
		const { asked } = await runTurn(createTestApp({ model: { name: 'm', completion_params } }), { query: 'Q' });
		const { temperature, stop, topP, parameters } = asked[0] ?? {};
		assert.deepEqual(
			{ temperature, stop, topP, parameters },
			{ temperature: 0.2, stop: ['END'], topP: 0.5, parameters: { seed: 7, response_format: 'json_object' } },
		);
	});
});

describe('the file of an app without a graph', () => {
	const assertRefused = (config: object, pattern: RegExp, mode?: string) =>
		assert.throws(() => loadAgent(createAppText(config, mode), 'app.yml'), pattern);

	it('is checked, with positions', () => {
		assertRefused({ model: {} }, /model_config\.model\.name/);
		assertRefused({ prompt_type: 'odd' }, /model_config\.prompt_type/);
		assert.match(createTestApp({ user_input_form: [{ strange: { variable: 'a' } }] }).warnings[0]?.message ?? '', /has no known field/);
		assertRefused({ user_input_form: [{ 'text-input': { label: 'no variable' } }] }, /user_input_form\[0\]\.text-input\.variable/);
		assertRefused(
			{ user_input_form: [{ paragraph: { variable: 'a' } }, { number: { variable: 'a' } }] },
			/user_input_form\[1\]\.number\.variable: the variable 'a' is already used/,
		);
		assertRefused({ prompt_type: 'advanced', chat_prompt_config: { prompt: Array(11).fill({ role: 'user', text: 'x' }) } }, /11 messages/);
		assertRefused({ sensitive_word_avoidance: { enabled: true, type: 'keywords', config: { keywords: 'a\n'.repeat(101) } } }, /keywords/);
		assert.throws(() => loadAgent(JSON.stringify({ kind: 'app', app: { mode: 'chat' } }), 'app.yml'), /no model_config/);
		assert.throws(() => loadAgent(createAppText({}, 'party'), 'app.yml'), /'party' isn't a valid app mode/);
	});

	it('may omit fields that older files lack, or set them to null', () => {
		const empty = [
			...['prompt_type', 'pre_prompt', 'chat_prompt_config', 'completion_prompt_config', 'user_input_form', 'external_data_tools'],
			...['opening_statement', 'suggested_questions', 'sensitive_word_avoidance', 'file_upload', 'retriever_resource', 'dataset_configs'],
			...['dataset_query_variable', 'agent_mode'],
		];
		assert.deepEqual(createTestApp(Object.fromEntries(empty.map(name => [name, null]))).warnings, []);
		assert.deepEqual(
			createTestApp({
				chat_prompt_config: {},
				completion_prompt_config: {},
				sensitive_word_avoidance: { configs: [], enabled: false, type: '' },
			}).warnings,
			[],
		);
	});

	it('lists the inputs it accepts, of every kind', () => {
		const createField = (variable: string, more: object = {}) => ({ variable, label: variable, required: false, ...more });
		const agent = createTestApp({
			user_input_form: [
				{ 'text-input': createField('text', { max_length: 3, required: true }) },
				{ paragraph: createField('long', { default: 'd' }) },
				{ number: createField('n') },
				{ select: createField('s', { options: ['a', 'b'], default: 'a' }) },
				{ checkbox: createField('c') },
				{ json_object: createField('j') },
				{ file: createField('f', { allowed_file_types: ['image'] }) },
				{ 'file-list': createField('fs', { max_length: 1 }) },
			],
		});
		assert.deepEqual(checkInputs(agent, { text: 'abc', n: '2', c: 'true', j: '{"a":1}', more: 1 }), {
			text: 'abc',
			long: 'd',
			n: 2,
			s: 'a',
			c: true,
			j: { a: 1 },
		});
		const assertInputRefused = (inputs: object, pattern: RegExp) =>
			assert.throws(() => checkInputs(agent, { text: 'a', ...inputs }), pattern);
		assertInputRefused({ text: 'abcd' }, /text in input form must be less than 3 characters/);
		assertInputRefused({ text: undefined }, /text is required in input form/);
		assertInputRefused({ s: 'z' }, /s in input form must be one of the following: \['a', 'b'\]/);
		assertInputRefused({ n: 'x' }, /n in input form must be a valid number/);
		assertInputRefused(
			{ f: { type: 'audio', transfer_method: 'remote_url', url: 'https://a.b/c' } },
			/f in input form must be a file of one of these types: image/,
		);
		assertInputRefused({ fs: [1, 2] }, /fs in input form must be less than 1 files/);
	});

	it('may name variables like members of every object', async () => {
		const text = createAppText({
			pre_prompt: '{{constructor}}|{{__proto__}}',
			user_input_form: ['constructor', 'PROTO'].map(variable => ({ paragraph: { variable } })),
		});
		const agent = loadAgent(text.replaceAll('PROTO', '__proto__'), 'app.yml');
		const inputs = JSON.parse('{"constructor": "C", "__proto__": "P"}') as Record<string, unknown>;
		assert.deepEqual(listSentTexts(await runTurn(agent, { query: 'Q', inputs })), ['system: C|P\n', 'user: Q']);
		assert.deepEqual(listSentTexts(await runTurn(agent, { query: 'Q' })), ['system: |\n', 'user: Q']);
	});

	it('may have a form with thousands of fields', async () => {
		const user_input_form = Array.from({ length: 5_000 }, (_, at) => ({ paragraph: { variable: `v${at}` } }));
		const pre_prompt = user_input_form.map((_, at) => `{{v${at}}}`).join('');
		const inputs = Object.fromEntries(user_input_form.map((_, at) => [`v${at}`, 'x']));
		assert.equal(
			listSentTexts(await runTurn(createTestApp({ pre_prompt, user_input_form }), { query: 'Q', inputs }))[0]?.length,
			'system: \n'.length + 5_000,
		);
	});
});
