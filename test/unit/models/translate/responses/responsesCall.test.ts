import assert from 'node:assert/strict';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseInputItem, ResponsesRequest } from '#contract/openai/responses.ts';
import { createEnvelope, openEnvelope } from '#models/translate/responses/reasoningEnvelope.ts';
import { createResponsesCall } from '#models/translate/responses/responsesCall.ts';

const createUser = (text: string): ResponseInputItem => ({ type: 'message', role: 'user', content: text });

describe('requests of /v1/responses as calls of a model', () => {
	const createCall = (items: readonly ResponseInputItem[], request: Partial<ResponsesRequest> = {}) =>
		createResponsesCall({ model: 'm', ...request }, items);
	const createPrompt = (items: readonly ResponseInputItem[], request: Partial<ResponsesRequest> = {}): LanguageModelV4Prompt =>
		createCall(items, request).call.prompt;
	const getRefusal = (items: readonly ResponseInputItem[], request: Partial<ResponsesRequest> = {}) => {
		try {
			createCall(items, request);
		} catch (error) {
			assert.ok(error instanceof ServiceFault);
			assert.equal(error.status, 400);
			return { param: error.details.params, message: error.message };
		}
		return assert.fail('it was taken');
	};

	it('send only developer messages as user messages, next to the instructions', () => {
		const { call: made } = createCall([{ role: 'developer', content: 'Say hi.' }], { instructions: 'Be brief.' });
		assert.deepEqual(made.prompt, [
			{ role: 'system', content: 'Be brief.' },
			{ role: 'user', content: [{ type: 'text', text: 'Say hi.' }] },
		]);
		assert.match(made.extras?.lost?.join() ?? '', /^input: system messages are sent as a user message/);
		assert.equal(getRefusal([{ type: 'reasoning', summary: [] }], { instructions: 'Be brief.' }).param, 'input');
	});

	it('put instructions and all system texts first, and report which was moved', () => {
		const { call: made } = createCall(
			[
				{ role: 'developer', content: 'two' },
				createUser('a'),
				{ role: 'system', content: [{ type: 'input_text', text: 'three' }] },
				createUser('b'),
			],
			{ instructions: 'one' },
		);
		assert.deepEqual(made.prompt, [
			{ role: 'system', content: 'one\n\ntwo\n\nthree' },
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'a' },
					{ type: 'text', text: 'b' },
				],
			},
		]);
		assert.match(made.extras?.lost?.join() ?? '', /^input\[2\]: moved in front/);
	});

	it('accept messages without a type, texts of all kinds, images and files', () => {
		const { call: made } = createCall([
			{
				role: 'user',
				content: [
					{ type: 'input_text', text: 'look' },
					{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
					{ type: 'input_image', image_url: 'https://example.com/a.png', detail: 'low' },
					{ type: 'input_file', file_data: 'data:text/plain;charset=utf-8;base64,QQ==', filename: 'a.txt' },
					{ type: 'input_file', file_data: 'QQ==' },
					{ type: 'input_file', file_url: 'https://example.com/a.pdf' },
				],
			},
		]);
		assert.deepEqual(made.extras?.lost, ["input[0].content[2].detail: ignored because the model's service has no such field"]);
		assert.deepEqual(made.prompt[0]?.content, [
			{ type: 'text', text: 'look' },
			{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
			{ type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL('https://example.com/a.png') } },
			{ type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'QQ==' }, filename: 'a.txt' },
			{ type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'QQ==' } },
			{ type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: new URL('https://example.com/a.pdf') } },
		]);
		assert.deepEqual(
			createPrompt([
				createUser('a'),
				{
					role: 'assistant',
					content: [
						{ type: 'output_text', text: 'b' },
						{ type: 'refusal', refusal: 'c' },
					],
				},
				{ role: 'assistant', content: 'd' },
			])[1],
			{ role: 'assistant', content: [{ type: 'text', text: 'bc\n\nd' }] },
		);
	});

	it('put outputs after the turn that called, parallel calls in one turn, whatever is between them', () => {
		const made = createPrompt([
			createUser('go'),
			{ type: 'function_call', call_id: '1', name: 'f', arguments: '{"a":1}' },
			{ type: 'custom_tool_call', call_id: '2', name: 'patch', input: 'text' },
			{ type: 'function_call_output', call_id: '1', output: 'one' },
			createUser('hurry'),
			{
				type: 'custom_tool_call_output',
				call_id: '2',
				output: [
					{ type: 'input_text', text: 'two' },
					{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
				],
			},
		]);
		assert.deepEqual(
			made.map(({ role }) => role),
			['user', 'assistant', 'tool', 'user'],
		);
		assert.deepEqual(made[1]?.content, [
			{ type: 'tool-call', toolCallId: '1', toolName: 'f', input: { a: 1 } },
			{ type: 'tool-call', toolCallId: '2', toolName: 'patch', input: { input: 'text' } },
		]);
		assert.deepEqual(made[2]?.content, [
			{ type: 'tool-result', toolCallId: '1', toolName: 'f', output: { type: 'text', value: 'one' } },
			{
				type: 'tool-result',
				toolCallId: '2',
				toolName: 'patch',
				output: {
					type: 'content',
					value: [
						{ type: 'text', text: 'two' },
						{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
					],
				},
			},
		]);
	});

	it('keep a conversation usable if its model wrote invalid JSON or was cut off during a call', () => {
		const { call: made } = createCall([
			createUser('go'),
			{ type: 'function_call', call_id: '1', name: 'f', arguments: '{"a":' },
			{ type: 'function_call_output', call_id: '1', output: 'bad' },
			{ type: 'function_call', call_id: '2', name: 'f', arguments: '[1]' },
			{ type: 'function_call_output', call_id: '2', output: { ok: true } },
			{ type: 'function_call', call_id: '3', name: 'f', arguments: '{"a', status: 'incomplete' },
			createUser('again'),
		]);
		const calls = made.prompt.flatMap(({ role, content }) =>
			role === 'assistant' ? content.flatMap(part => (part.type === 'tool-call' ? [part.input] : [])) : [],
		);
		assert.deepEqual(calls, [{ arguments: '{"a":' }, { arguments: [1] }]);
		assert.match(made.extras?.lost?.join() ?? '', /input\[5\] \(function_call\): removed because the call was incomplete/);
	});

	it('omit items that only OpenAI knows, and report it', () => {
		const { call: made } = createCall([createUser('a'), { type: 'web_search_call', id: 'ws_1' }]);
		assert.deepEqual(made.extras?.lost, ["input[1] (web_search_call): removed because items of this type aren't supported"]);
	});

	it('restore the signatures of thoughts and calls, and read no others', () => {
		const thought = createEnvelope({ text: 'whole thought', signed: { anthropic: { signature: 's' } } });
		const hidden = createEnvelope({ text: '', signed: { anthropic: { redactedData: 'r' } } });
		const signedCall = createEnvelope({ text: '', signed: { openaiCompatible: { thoughtSignature: 'g' } }, call: '1' });
		const made = createPrompt([
			createUser('a'),
			{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'short' }], encrypted_content: thought },
			{ type: 'reasoning', summary: [], encrypted_content: hidden },
			{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'not signed' }] },
			{ type: 'reasoning', summary: [], encrypted_content: 'gAAAAABofanotherservice' },
			{ type: 'function_call', call_id: '1', name: 'f', arguments: '' },
			{ type: 'reasoning', summary: [], encrypted_content: signedCall },
			{ type: 'function_call_output', call_id: '1', output: 'x' },
		]);
		assert.deepEqual(made[1]?.content, [
			{ type: 'reasoning', text: 'whole thought', providerOptions: { anthropic: { signature: 's' } } },
			{ type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'r' } } },
			{ type: 'reasoning', text: 'not signed' },
			{ type: 'tool-call', toolCallId: '1', toolName: 'f', input: {}, providerOptions: { google: { thoughtSignature: 'g' } } },
		]);
		for (const text of ['', 'agent-workbench.', 'agent-workbench.e30', 'agent-workbench.bnVsbA', 7, null]) {
			assert.equal(openEnvelope(text), undefined);
		}
	});

	it('flatten namespaces, convert custom tools to functions with one text, and omit others', () => {
		const { call: made, tools } = createCall(
			[createUser('a'), { type: 'function_call', call_id: '1', name: 'run', namespace: 'box', arguments: '{}' }],
			{
				tools: [
					{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: false },
					{ type: 'namespace', name: 'box', tools: [{ type: 'function', name: 'run' }, { type: 'custom', name: 'note' }, { type: 'mcp' }] },
					{ type: 'custom', name: 'patch', description: 'p', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
					{ type: 'web_search' },
					{ type: 'function', name: 'box__run' },
				],
			},
		);
		const text = { type: 'string', description: 'The whole text for the tool, as it is.' };
		const custom = { type: 'object', properties: { input: text }, required: ['input'], additionalProperties: false };
		const none = { type: 'object', properties: {} };
		assert.deepEqual(made.tools, [
			{ type: 'function', name: 'f', description: 'd', inputSchema: { type: 'object' }, strict: false },
			{ type: 'function', name: 'box__run', inputSchema: none },
			{ type: 'function', name: 'box__note', inputSchema: custom },
			{
				type: 'function',
				name: 'patch',
				description: 'p\n\nThe text follows this grammar (lark):\nstart: "x"',
				inputSchema: custom,
			},
			{ type: 'function', name: 'box__run_', inputSchema: none },
		]);
		assert.deepEqual(made.extras?.lost, [
			'tools[1].tools[2] (mcp): removed because only functions and custom tools are supported',
			'tools[3] (web_search): removed because only functions and custom tools are supported',
		]);
		assert.deepEqual(tools.getCallerTool('box__run'), { kind: 'function', name: 'run', namespace: 'box' });
		assert.deepEqual(tools.getCallerTool('box__note'), { kind: 'custom', name: 'note', namespace: 'box' });
		assert.deepEqual(tools.getCallerTool('box__run_'), { kind: 'function', name: 'box__run' });
		assert.deepEqual(
			tools.kept.map(({ type, name }) => `${type} ${name}`),
			['function f', 'namespace box', 'custom patch', 'function box__run'],
		);
		const [, { content = [] } = {}] = made.prompt;
		assert.equal(Array.isArray(content) && content[0]?.type === 'tool-call' && content[0].toolName, 'box__run');
	});

	it('choose tools by mode, by name or from a list', () => {
		const tools = [
			{ type: 'function', name: 'f' },
			{ type: 'custom', name: 'c' },
			{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'g' }] },
		];
		const createChoice = (tool_choice: ResponsesRequest['tool_choice']) => {
			const { toolChoice, tools: offered } = createCall([createUser('a')], { tools, tool_choice }).call;
			return [toolChoice, offered?.map(({ name }) => name).join()];
		};
		assert.deepEqual(createChoice('required'), [{ type: 'required' }, 'f,c,n__g']);
		assert.deepEqual(createChoice({ type: 'custom', name: 'c' }), [{ type: 'tool', toolName: 'c' }, 'f,c,n__g']);
		assert.deepEqual(createChoice({ type: 'function', name: 'g', namespace: 'n' }), [{ type: 'tool', toolName: 'n__g' }, 'f,c,n__g']);
		const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] };
		assert.deepEqual(createChoice(allowed), [{ type: 'required' }, 'f']);
		assert.deepEqual(createChoice({ type: 'web_search' }), [undefined, 'f,c,n__g']);
		assert.equal(getRefusal([createUser('a')], { tools, tool_choice: { type: 'function', name: 'x' } }).param, 'tool_choice');
	});

	it('keep settings', () => {
		const {
			prompt: _,
			extras,
			...made
		} = createCall([createUser('a')], {
			temperature: 1.5,
			top_p: 0.5,
			presence_penalty: 1,
			frequency_penalty: -1,
			max_output_tokens: 9,
			reasoning: { effort: 'high', summary: 'auto' },
			text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } },
			parallel_tool_calls: false,
			client_metadata: {},
			top_logprobs: 3,
			moderation: 'x',
		}).call;
		assert.deepEqual(made, {
			temperature: 1.5,
			topP: 0.5,
			presencePenalty: 1,
			frequencyPenalty: -1,
			maxOutputTokens: 9,
			reasoning: 'high',
			providerOptions: { google: { thinkingConfig: { includeThoughts: true } } },
			responseFormat: { type: 'json', name: 'n', schema: { type: 'object' } },
		});
		assert.equal(extras?.singleToolCall?.field, 'parallel_tool_calls');
		assert.deepEqual(
			extras?.lost?.map(sentence => sentence.split(':')[0]),
			['moderation', 'top_logprobs'],
		);
	});

	it("are refused with their position if they can't be interpreted", () => {
		assert.deepEqual(getRefusal([{ role: 'user', content: [{ type: 'input_audio' }] }]), {
			param: 'input[0].content[0]',
			message: "Invalid 'input[0].content[0]': parts of type input_audio can't be sent to another service.",
		});
		assert.equal(getRefusal([{ role: 'user', content: [{ type: 'input_image', file_id: 'x' }] }]).param, 'input[0].content[0].file_id');
		assert.equal(getRefusal([{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }]).param, 'input[0].content[0].image_url');
		assert.equal(getRefusal([{ role: 'user', content: [{ type: 'input_file' }] }]).param, 'input[0].content[0]');
		assert.equal(getRefusal([{ role: 'critic', content: 'x' }]).param, 'input[0].role');
		assert.equal(getRefusal([{ role: 'system', content: '' }]).param, 'input');
		assert.equal(getRefusal([createUser('a'), { type: 'function_call', name: 'f' }]).param, 'input[1]');
		assert.match(
			getRefusal([createUser('a'), { type: 'function_call_output', call_id: '9' }]).message,
			/no tool call found with the call_id "9"/,
		);
		assert.equal(getRefusal([createUser('a')], { tools: [{ type: 'function' }] }).param, 'tools[0].name');
		assert.equal(getRefusal([createUser('a')], { text: { format: { type: 'json_schema' } } }).param, 'text.format.schema');
		assert.equal(getRefusal([createUser('a')], { reasoning: { effort: 'huge' } }).param, 'reasoning.effort');
	});
});
