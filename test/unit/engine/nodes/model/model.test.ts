import assert from 'node:assert/strict';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { ThinkingFilter } from '#engine/nodes/model/thinking.ts';
import type { ChatContext, ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import { createConnectionFault } from '#models/upstreamFault.ts';
import { createTestServices } from '../../run/engineFixture.ts';
import { runNodeAlone } from '../nodeRun.ts';

/** Creates a model that returns these parts and records its requests. */
function createModel(...parts: readonly (string | ModelPart)[]) {
	const asked: ModelRequest[] = [];
	const services = createTestServices(async function* (request) {
		asked.push(request);
		for (const part of parts) {
			yield typeof part === 'string' ? { type: 'text', text: part } : part;
		}
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 10, completionTokens: 5, totalPrice: '0.002', currency: 'USD' } };
	});
	return { asked, services };
}

const createPrompt = (text: string, role = 'user') => ({ role, text });
const chat: ChatContext = {
	query: 'And now?',
	conversationId: 'c',
	dialogueCount: 2,
	variables: {},
	history: [
		{ role: 'user', text: 'one' },
		{ role: 'assistant', text: 'first' },
		{ role: 'user', text: 'two' },
		{ role: 'assistant', text: 'second' },
	],
};

describe('llm', () => {
	const createLlm = (settings: object = {}) => ({
		type: 'llm',
		model: { name: 'm', provider: 'p' },
		prompt_template: [createPrompt('{{#start.a#}}')],
		...settings,
	});

	it("fails with the hosted service's message without any prompt", async () => {
		const settings = { type: 'llm', model: { name: 'm' }, prompt_template: [{ role: 'user', text: '{{#start.a#}}' }] };
		const { error, errorType } = await runNodeAlone(settings, { a: '' }, createModel('').services);
		assert.equal(error, 'No prompt found in the LLM configuration. Please ensure a prompt is properly configured before proceeding.');
		assert.equal(errorType, 'NoPromptFoundError');
	});

	it('fills prompts with references, Jinja and context, and drops empty messages', async () => {
		const { asked, services } = createModel('ok');
		const { record, outputs } = await runNodeAlone(
			createLlm({
				model: {
					name: 'm',
					provider: 'p',
					completion_params: { temperature: 0.5, top_p: 0.9, max_tokens: 7, stop: ['END'], response_format: 'x' },
				},
				prompt_template: [
					createPrompt('', 'assistant'),
					createPrompt('Use:\n{{#context#}}\nfor {{#start.a#}}', 'system'),
					{ role: 'user', edition_type: 'jinja2', text: '', jinja2_text: '{% if x %}{{ x | upper }}{% endif %}' },
				],
				prompt_config: { jinja2_variables: [{ variable: 'x', value_selector: ['start', 'a'] }] },
				context: { enabled: true, variable_selector: ['start', 'k'] },
			}),
			{ a: 'ann', k: 'facts with {{#start.a#}}' },
			services,
		);
		assert.deepEqual(asked[0], {
			model: 'm',
			messages: [
				{ role: 'system', content: 'Use:\nfacts with {{#start.a#}}\nfor ann' },
				{ role: 'user', content: 'ANN' },
			],
			temperature: 0.5,
			topP: 0.9,
			maxTokens: 7,
			stop: ['END'],
			parameters: { response_format: 'x' },
		});
		assert.deepEqual(record.execution_metadata, { total_tokens: 15, total_price: '0.002', currency: 'USD' });
		assert.equal((outputs['usage'] as { total_tokens: number }).total_tokens, 15);
		assert.equal(outputs['finish_reason'], 'stop');
	});

	it('remembers as many earlier turns of a chat as its window allows', async () => {
		const { asked, services } = createModel('ok');
		const memory = { window: { enabled: true, size: 1 }, query_prompt_template: 'Q: {{#sys.query#}}' };
		await runNodeAlone(createLlm({ prompt_template: [createPrompt('Be kind.', 'system')], memory }), {}, services, { chat });
		assert.deepEqual(
			asked[0]?.messages.map(({ role, content }) => `${role}: ${content}`),
			['system: Be kind.', 'user: two', 'assistant: second', 'user: Q: And now?'],
		);
	});

	it('gets pictures by address and by upload', async () => {
		const { asked, services } = createModel('ok');
		const files = {
			...services.files,
			describeUpload: () => ({ name: 'p.png', mimeType: 'image/png', size: 3 }),
			readUpload: async () => Buffer.from('PNG'),
		};
		await runNodeAlone(
			createLlm({ prompt_template: [createPrompt('Look')], vision: { enabled: true } }),
			{},
			{ ...services, files },
			{
				files: [
					{ type: 'image', transfer_method: 'remote_url', url: 'https://example.invalid/a.png' },
					{ type: 'image', transfer_method: 'local_file', upload_file_id: 'u' },
					{ type: 'document', transfer_method: 'local_file', upload_file_id: 'd' },
				],
			},
		);
		assert.deepEqual(asked[0]?.messages[0]?.content, [
			{ type: 'image', url: 'https://example.invalid/a.png' },
			{ type: 'image', mediaType: 'image/png', data: btoa('PNG') },
			{ type: 'text', text: 'Look' },
		]);
	});

	it('reads no more pictures than fit into a request, even if one of them is listed often', async () => {
		const { asked, services } = createModel('ok');
		let reads = 0;
		const picture = Buffer.alloc(8 * 1024 * 1024);
		const files = {
			...services.files,
			describeUpload: () => ({ name: 'p.png', mimeType: 'image/png', size: picture.length }),
			readUpload: async () => {
				reads++;
				return picture;
			},
		};
		const file = { type: 'image', transfer_method: 'local_file', upload_file_id: 'u' } as const;
		const settings = createLlm({ prompt_template: [createPrompt('Look')], vision: { enabled: true } });
		const run = await runNodeAlone(settings, {}, { ...services, files }, { files: Array(100).fill(file) });
		assert.match(String(run.error), /The files are larger than 128 MB in total/);
		assert.deepEqual([reads, asked.length], [17, 0]);
	});

	it("returns structured output, also from a reply that isn't quite JSON", async () => {
		const schema = { type: 'object', properties: { n: { type: 'number' } } };
		const settings = createLlm({ structured_output_enabled: true, structured_output: { schema } });
		const good = createModel('Here it is:\n```json\n{"n": 1,}\n```');
		assert.deepEqual((await runNodeAlone(settings, { a: 'x' }, good.services)).outputs['structured_output'], { n: 1 });
		assert.deepEqual(good.asked[0]?.responseSchema, schema);
		const bad = await runNodeAlone(settings, { a: 'x' }, createModel('none').services);
		assert.equal(bad.errorType, 'OutputParserError');
		const other = await runNodeAlone(settings, { a: 'x' }, createModel('{"n": "one"}').services);
		assert.match(String(other.error), /^Structured output validation failed \(stage=result, path=\$\.n\): /);
		const without = await runNodeAlone(createLlm({ structured_output_switch_on: true }), { a: 'x' }, createModel('{}').services);
		assert.equal(without.error, 'Please provide a valid structured output schema');
	});

	const references = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => {
			const next = at === 39 ? { type: 'string' } : { $ref: `#/$defs/d${at + 1}` };
			return [`d${at}`, { anyOf: [next, next] }];
		}),
	);
	for (const [what, property] of [
		['a pattern that backtracks', { type: 'string', pattern: '^(a+)+$' }],
		['references that multiply', { $ref: '#/$defs/d0' }],
	] as const) {
		it(`fails if the check of structured output takes forever, and blocks nothing meanwhile: ${what}`, async () => {
			const schema = { type: 'object', properties: { a: property, b: { type: 'number' } }, $defs: references };
			const settings = createLlm({ structured_output_enabled: true, structured_output: { schema } });
			let turns = 0;
			const timer = setInterval(() => turns++, 50);
			const reply = JSON.stringify(what.startsWith('a pattern') ? { a: `${'a'.repeat(60)}!` } : { a: 1 });
			const { error, errorType } = await runNodeAlone(settings, { a: 'x' }, createModel(reply).services);
			clearInterval(timer);
			assert.match(String(error), /^Couldn't check the structured output against its schema: it takes /);
			assert.deepEqual([errorType, turns > 10], ['OutputParserError', true]);
		});
	}

	it('checks structured output against references and patterns', async () => {
		const properties = { a: { $ref: '#/$defs/code' } };
		const schema = { type: 'object', properties, $defs: { code: { type: 'string', pattern: '^[a-z]+$' } } };
		const settings = createLlm({ structured_output_enabled: true, structured_output: { schema } });
		const good = await runNodeAlone(settings, { a: 'x' }, createModel('{"a":"ok"}').services);
		assert.deepEqual(good.outputs['structured_output'], { a: 'ok' });
		const bad = await runNodeAlone(settings, { a: 'x' }, createModel('{"a":"1"}').services);
		assert.match(String(bad.error), /^Structured output validation failed \(stage=result, path=\$\.a\): /);
	});

	for (const [what, prompts] of [
		['references', { prompt_template: Array(100).fill(createPrompt('{{#start.a#}}')) }],
		[
			'the context',
			{ prompt_template: [createPrompt('{{#context#}}'.repeat(100))], context: { enabled: true, variable_selector: ['start', 'a'] } },
		],
	] as const) {
		it(`fails if its prompts repeat a long value by ${what}, before anything is sent`, async () => {
			const { asked, services } = createModel('ok');
			const { error } = await runNodeAlone(createLlm(prompts), { a: 'x'.repeat(1_000_000) }, services);
			assert.match(String(error), /A text with inserted values is longer than/);
			assert.equal(asked.length, 0);
		});
	}

	it('fails for references to missing variables, before anything is sent', async () => {
		const { asked, services } = createModel('ok');
		const { error } = await runNodeAlone(createLlm({ prompt_template: [createPrompt('{{#context#}}{{#ghost.v#}}')] }), {}, services);
		assert.deepEqual([error, asked.length], ['Variable #ghost.v# not found', 0]);
	});

	it('keeps reasoning in the text, or separate from it', async () => {
		const parts = [{ type: 'reasoning', text: 'hm' } as const, 'answer'];
		const tagged = await runNodeAlone(createLlm(), { a: 'x' }, createModel(...parts).services);
		assert.deepEqual([tagged.outputs['text'], tagged.outputs['reasoning_content']], ['<think>\nhm\n</think>\nanswer', '']);
		const separated = await runNodeAlone(createLlm({ reasoning_format: 'separated' }), { a: 'x' }, createModel(...parts).services);
		assert.deepEqual([separated.outputs['text'], separated.outputs['reasoning_content']], ['answer', 'hm']);
		const inline = await runNodeAlone(
			createLlm({ reasoning_format: 'separated' }),
			{ a: 'x' },
			createModel('<th', 'ink>hm', '</thi', 'nk>\n\nans', 'wer').services,
		);
		assert.deepEqual([inline.outputs['text'], inline.outputs['reasoning_content']], ['answer', 'hm']);
	});

	it('delays no text outside the reasoning, and finds thoughts at any position', () => {
		const filterPieces = (...pieces: readonly string[]) => {
			const filter = new ThinkingFilter();
			return [...pieces.flatMap(piece => filter.push(piece)), ...filter.endText()].map(
				({ type, text }) => `${type === 'text' ? '' : '*'}${text}`,
			);
		};
		assert.deepEqual(filterPieces('<', 'b>x', '<think a="b">y', '</thi', 'nk>z'), ['<b>x', '*y', 'z']);
		assert.deepEqual(filterPieces('<think>never', ' ends'), ['*never', '* ends']);
		assert.deepEqual(filterPieces('<th'), ['<th']);
		assert.deepEqual(filterPieces('<think>a</think> one <THINK>b</THINK>two'), ['*a', 'one ', '*b', 'two']);
	});

	it('fails with a specific type for empty prompts and interrupted replies', async () => {
		const createFailingServices = (fault: ServiceFault) =>
			createTestServices(() => {
				throw fault;
			});
		for (const [status, type] of [
			[400, 'InvokeBadRequestError'],
			[401, 'InvokeAuthorizationError'],
			[403, 'InvokeAuthorizationError'],
			[404, 'InvokeBadRequestError'],
			[429, 'InvokeRateLimitError'],
			[500, 'InvokeServerUnavailableError'],
			[504, 'InvokeConnectionError'],
			[529, 'InvokeServerUnavailableError'],
		] as const) {
			assert.equal(
				(await runNodeAlone(createLlm(), { a: 'x' }, createFailingServices(new ServiceFault(status, 'no')))).errorType,
				type,
				String(status),
			);
		}
		const refused = createConnectionFault(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), 'http://a.example');
		assert.equal((await runNodeAlone(createLlm(), { a: 'x' }, createFailingServices(refused))).errorType, 'InvokeConnectionError');
		assert.equal((await runNodeAlone(createLlm(), { a: '' }, createModel().services)).errorType, 'NoPromptFoundError');
		const broken = createTestServices(async function* () {
			yield { type: 'text', text: 'half' };
		});
		assert.match(
			String((await runNodeAlone(createLlm(), { a: 'x' }, broken)).error),
			/The reply of the model 'm' ended before it was complete/,
		);
	});
});

describe('question-classifier', () => {
	const settings = {
		type: 'question-classifier',
		error_strategy: 'none',
		model: { name: 'm' },
		query_variable_selector: ['start', 'a'],
		classes: [
			{ id: '1', name: 'Billing' },
			{ id: '2', name: 'Technical fault' },
		],
		instruction: 'About {{#start.a#}}',
	};
	for (const [reply, id] of [
		['{"category_id": "2", "category_name": "Technical fault"}', '2'],
		['```json\n{"category_id": "2", "category_name": ""}\n```', '2'],
		['<think>{"category_id": "1"}</think>[{"category_id": "2", "category_name": "x"}]', '2'],
		['{"category_id": 2, "category_name": "Technical fault"}', '1'],
		['{"category_id": "2"}', '1'],
		['{"category_id": "9", "category_name": "technical FAULT"}', '1'],
	] as const) {
		it(`chooses class ${id} for ${JSON.stringify(reply)}`, async () => {
			const { outputs } = await runNodeAlone(settings, { a: 'x' }, createModel(reply).services);
			assert.equal(outputs['class_id'], id);
		});
	}

	for (const [reply, message] of [
		['It is a technical fault.', 'could not find json block in the output.'],
		['', 'could not find json block in the output.'],
		['{"category_id": "2", }', /^got invalid json object\. error: /],
		['{"category_id": "1", "category_name": "Billing"}\n{"x": 1}', 'got invalid json object. error: Extra data: line 2 column 1 (char 49)'],
		['{"category_id": }', 'got invalid json object. error: Expecting value: line 1 column 17 (char 16)'],
		['[1, 2]', 'got invalid return object. obj:[1, 2]'],
	] as const) {
		it(`fails for ${JSON.stringify(reply)}`, async () => {
			const { error } = await runNodeAlone(settings, { a: 'x' }, createModel(reply).services);
			assert.ok(message instanceof RegExp ? message.test(String(error)) : error === message, String(error));
		});
	}

	it('sends its classes and its instruction, and names a class by its number', async () => {
		const { asked, services } = createModel('{}');
		await runNodeAlone(settings, { a: 'my text' }, services);
		assert.match(String(asked[0]?.messages[0]?.content), /"2": Technical fault[\s\S]*About my text/);
		assert.deepEqual(asked[0]?.messages.at(-1), { role: 'user', content: 'my text' });
		const { outputs } = await runNodeAlone({ ...settings, query_variable_selector: ['start', 'z'] }, {}, services);
		assert.deepEqual([outputs['class_name'], outputs['class_label']], ['Billing', 'CLASS 1']);
	});
});

describe('parameter-extractor', () => {
	const settings = {
		type: 'parameter-extractor',
		model: { name: 'm' },
		query: ['start', 'a'],
		parameters: [
			{ name: 'city', type: 'string', description: 'c', required: true },
			{ name: 'n', type: 'number', required: false },
			{ name: 'ok', type: 'bool', required: false },
			{ name: 'kind', type: 'select', options: ['x', 'y'], required: false },
			{ name: 'tags', type: 'array[string]', required: false },
		],
	};
	const extractParameters = (reply: string) => runNodeAlone(settings, { a: 'text' }, createModel(reply).services);

	const extractValues = async (reply: string) => {
		const { outputs, status } = await extractParameters(reply);
		assert.equal(status, 'succeeded');
		const { __usage: _, ...values } = outputs;
		return values;
	};

	it('has no values from unreadable function arguments, and empty ones from a text without an object', async () => {
		const one = { ...settings, parameters: settings.parameters.slice(0, 1) };
		const getReason = async (reasoning_mode: string, reply: string) =>
			(await runNodeAlone({ ...one, reasoning_mode }, { a: 'text' }, createModel(reply).services)).outputs['__reason'];
		assert.equal(await getReason('function_call', '{city: <<'), 'Invalid number of parameters');
		assert.notEqual(await getReason('function_call', 'none'), 'Invalid number of parameters');
		assert.notEqual(await getReason('prompt', '{city: <<'), 'Invalid number of parameters');
	});

	it('returns each value in its type, and reports values of another type', async () => {
		const good = await extractValues('So: {"city": "Paris", "n": 5, "ok": true, "kind": "y", "tags": ["a"]}');
		assert.deepEqual(good, { __is_success: 1, __reason: null, city: 'Paris', n: 5, ok: true, kind: 'y', tags: ['a'] });
		const other = await extractValues('{"city": "Paris", "n": "5.5", "ok": "true", "kind": "z", "tags": ["a", 1]}');
		const reason =
			"Invalid value for parameter n, expected segment type: number, actual_type: string, python_type: <class 'str'>, value: 5.5";
		assert.deepEqual(other, { __is_success: 0, __reason: reason, city: 'Paris', n: 5.5, ok: false, kind: 'z', tags: ['a'] });
		const select = await extractValues('{"city": "Paris", "n": 5, "ok": true, "kind": "z", "tags": []}');
		assert.equal(select['__reason'], 'Invalid `select` value for parameter kind');
	});

	it("returns empty values for missing ones, and doesn't fail", async () => {
		const few = await extractValues('{"n": "many", "kind": "z"}');
		const empty = { city: '', n: 0, ok: false, tags: [] };
		assert.deepEqual(few, { __is_success: 0, __reason: 'Invalid number of parameters', ...empty, kind: 'z' });
		assert.deepEqual(await extractValues('no idea'), { __is_success: 0, __reason: 'Invalid number of parameters', ...empty, kind: '' });
		const required = await extractValues('{"x": 1, "n": 1, "ok": true, "kind": "x", "tags": []}');
		assert.equal(required['__reason'], 'Parameter city is required');
		assert.equal((await extractParameters('{"city": "Pa')).outputs['city'], '');
	});
});
