import assert from 'node:assert/strict';
import { formatAnthropicBytes } from '../fixtureStreams.ts';
import { postBytes } from '../post.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read untyped items and requests
type Loose = any;

const grammar = 'start: begin_patch hunk+ end_patch\nbegin_patch: "*** Begin Patch" LF';
const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-old "quoted"\n+new\\line ✓\n*** End Patch\n';

/** Tools of a session in Codex 0.169: functions, a namespace per tool server, hosted tools, and a patch as free text. */
const tools = [
	{
		type: 'function',
		name: 'exec_command',
		description: 'Runs a command',
		strict: false,
		parameters: { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'], additionalProperties: false },
	},
	{
		type: 'namespace',
		name: 'mcp__files',
		description: 'Tools of the server files',
		tools: [{ type: 'function', name: 'read', description: 'Reads a file', strict: false, parameters: { type: 'object', properties: {} } }],
	},
	{ type: 'custom', name: 'apply_patch', description: 'Changes files', format: { type: 'grammar', syntax: 'lark', definition: grammar } },
	{ type: 'web_search', external_web_access: false },
	{ type: 'tool_search', execution: 'client' },
];

/** Imitates Codex: keeps the conversation itself, sends all of it each time and reads only the events of items. */
class CodexLike {
	readonly history: Loose[] = [
		{ type: 'message', role: 'developer', content: [{ type: 'input_text', text: '<permissions>Ask first.</permissions>' }] },
		{ type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context/>' }] },
	];
	readonly #gateway: TextGateway;

	constructor(gateway: TextGateway) {
		this.#gateway = gateway;
	}

	/** Sends one request and returns the items of its reply, which join the conversation. */
	async sendTurn(...input: Loose[]): Promise<Loose[]> {
		this.history.push(...input);
		const body = {
			model: 'gpt-like',
			input: this.history,
			tools,
			tool_choice: 'auto',
			parallel_tool_calls: true,
			reasoning: { summary: 'auto' },
			store: false,
			stream: true,
			include: ['reasoning.encrypted_content'],
			prompt_cache_key: '0199a213-81c0-7800-8aa1-bbab2a035a53',
			client_metadata: { 'x-codex-turn-metadata': 'x'.repeat(4_000) },
		};
		const reply = await postBytes(`${this.#gateway.baseUrl}/v1/responses`, JSON.stringify(body), {
			authorization: `Bearer ${this.#gateway.apiKey}`,
			accept: 'text/event-stream',
			originator: 'codex_cli_rs',
			'user-agent': 'codex_cli_rs/0.169.0 (Linux 6; x86_64) xterm',
			'session-id': '0199a213-81c0-7800-8aa1-bbab2a035a53',
			'thread-id': '0199a213-81c0-7800-8aa1-bbab2a035a53',
			'x-codex-window-id': '0199a213-81c0-7800-8aa1-bbab2a035a53:0',
			'x-codex-turn-metadata': '{"turn_id":"1"}',
		});
		assert.equal(reply.status, 200, reply.body.toString());
		this.warning = String(reply.headers['warning'] ?? '');
		return this.#parseItems(reply.body.toString());
	}

	warning = '';

	#parseItems(text: string): Loose[] {
		const items: Loose[] = [];
		let active: string | undefined;
		let completed: string | undefined;
		for (const [, data] of text.matchAll(/^data: (\{.*)$/gm)) {
			const event = JSON.parse(data ?? '') as Loose;
			if (event.type === 'response.output_item.added') {
				active = event.item.id;
			} else if (/\.delta$/.test(event.type)) {
				assert.equal(event.item_id, active, `${event.type} without an active item`);
			} else if (event.type === 'response.output_item.done') {
				const { id: _, status: __, ...item } = event.item;
				items.push(item);
				active = undefined;
			} else if (event.type === 'response.completed') {
				completed = event.response.id;
			}
		}
		assert.match(completed ?? '', /^resp_/, 'the stream closed before response.completed');
		this.history.push(...items);
		return items;
	}
}

describe('a session of Codex through a service of another protocol', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway([{ model: 'gpt-*', provider: 'anthropic', base_url: upstream.baseUrl, upstream_model: 'claude' }]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	/** Creates an Anthropic reply with these blocks and signed thoughts. */
	const createClaudeReply = (...blocks: Loose[]) => {
		const usage = { input_tokens: 1, output_tokens: 1 };
		const events: Loose[] = [
			{ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage } },
		];
		for (const [index, block] of blocks.entries()) {
			const createDeltaEvent = (fields: object) => events.push({ type: 'content_block_delta', index, delta: fields });
			if (block.type === 'thinking') {
				events.push({ type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '', signature: '' } });
				createDeltaEvent({ type: 'thinking_delta', thinking: block.thinking });
				createDeltaEvent({ type: 'signature_delta', signature: block.signature });
			} else if (block.type === 'text') {
				events.push({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
				createDeltaEvent({ type: 'text_delta', text: block.text });
			} else {
				events.push({ type: 'content_block_start', index, content_block: { ...block, input: {} } });
				createDeltaEvent({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) });
			}
			events.push({ type: 'content_block_stop', index });
		}
		const stop_reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
		events.push({ type: 'message_delta', delta: { stop_reason }, usage }, { type: 'message_stop' });
		return createStreamResponse(formatAnthropicBytes(events.map(event => JSON.stringify(event))), 64);
	};
	const readSentBody = (): Loose => JSON.parse(upstream.last.body.toString());

	it('calls namespaced and free-text tools and continues from its own thoughts', async () => {
		const codex = new CodexLike(gateway);
		const thought = { type: 'thinking', thinking: 'Read it first.', signature: 'signed-1' };
		const read = { type: 'tool_use', id: 'toolu_1', name: 'mcp__files__read', input: { path: 'a.txt' } };
		const run = { type: 'tool_use', id: 'toolu_2', name: 'exec_command', input: { cmd: 'ls' } };
		upstream.answer = createClaudeReply(thought, { type: 'text', text: 'I will look.' }, read, run);
		const first = await codex.sendTurn({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix a.txt' }] });

		assert.match(
			readSentBody()
				.system.map(({ text }: Loose) => text)
				.join(),
			/^<permissions>Ask first/,
		);
		assert.deepEqual(
			readSentBody().tools.map(({ name }: Loose) => name),
			['exec_command', 'mcp__files__read', 'apply_patch'],
		);
		const freeText = readSentBody().tools[2];
		assert.ok(freeText.description.includes(grammar));
		assert.deepEqual(freeText.input_schema.required, ['input']);
		assert.match(codex.warning, /tools\[3\] \(web_search\).*tools\[4\] \(tool_search\)/);
		assert.doesNotMatch(codex.warning, /client_metadata|prompt_cache_key/);
		const [reasoning, message, inNamespace, plain] = first;
		assert.deepEqual(reasoning.summary, [{ type: 'summary_text', text: 'Read it first.' }]);
		assert.equal(message.content[0].text, 'I will look.');
		assert.deepEqual(inNamespace, {
			type: 'function_call',
			call_id: 'toolu_1',
			name: 'read',
			namespace: 'mcp__files',
			arguments: '{"path":"a.txt"}',
		});
		assert.deepEqual(plain, { type: 'function_call', call_id: 'toolu_2', name: 'exec_command', arguments: '{"cmd":"ls"}' });

		upstream.answer = createClaudeReply(
			{ type: 'thinking', thinking: 'Now change it.', signature: 'signed-2' },
			{ type: 'tool_use', id: 'toolu_3', name: 'apply_patch', input: { input: patch } },
		);
		const second = await codex.sendTurn(
			{ type: 'function_call_output', call_id: 'toolu_1', output: [{ type: 'input_text', text: 'old' }] },
			{ type: 'function_call_output', call_id: 'toolu_2', output: 'a.txt' },
		);
		assert.deepEqual(second[1], { type: 'custom_tool_call', call_id: 'toolu_3', name: 'apply_patch', input: patch });
		const [, turn, results] = readSentBody().messages;
		assert.deepEqual(turn.content, [thought, { type: 'text', text: 'I will look.' }, read, run]);
		assert.deepEqual(
			results.content.map(({ tool_use_id: id }: Loose) => id),
			['toolu_1', 'toolu_2'],
		);

		upstream.answer = createClaudeReply({ type: 'text', text: 'Fixed.' });
		const third = await codex.sendTurn({ type: 'custom_tool_call_output', call_id: 'toolu_3', output: 'Success' });
		assert.deepEqual(third, [
			{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fixed.', annotations: [], logprobs: [] }] },
		]);
		assert.deepEqual(
			readSentBody().messages.map(({ role }: Loose) => role),
			['user', 'assistant', 'user', 'assistant', 'user'],
		);
		assert.deepEqual(readSentBody().messages[3].content, [
			{ type: 'thinking', thinking: 'Now change it.', signature: 'signed-2' },
			{ type: 'tool_use', id: 'toolu_3', name: 'apply_patch', input: { input: patch } },
		]);
	});

	it("gets a plain refusal for lasting errors before the stream, and doesn't retry", async () => {
		upstream.answer = createJsonResponse(
			{ type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } },
			400,
		);
		const codex = new CodexLike(gateway);
		const error: Error = await codex.sendTurn({ type: 'message', role: 'user', content: 'x' }).then(
			() => assert.fail('it was answered'),
			failure => failure,
		);
		assert.match(error.message, /"code":"context_length_exceeded"/);
	});

	it('recovers from a broken stream, which ends as a failed response with a message', async () => {
		let breakOff: (() => void) | undefined;
		upstream.answer = (_request, response) => {
			const usage = { input_tokens: 1, output_tokens: 1 };
			const events = [
				{ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage } },
				{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
				{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } },
			];
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(formatAnthropicBytes(events.map(event => JSON.stringify(event))));
			breakOff = () => response.destroy();
		};
		const reply = await fetch(`${gateway.baseUrl}/v1/responses`, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ model: 'gpt-like', input: 'x', stream: true }),
		});
		let text = '';
		for await (const piece of (reply.body ?? assert.fail('no body')).pipeThrough(new TextDecoderStream())) {
			text += piece;
			// data not forwarded yet would be lost with the connection
			if (text.includes('"delta":"Half"')) {
				breakOff?.();
			}
		}
		const [, data = ''] = /^event: response\.failed\ndata: (.*)$/m.exec(text) ?? [];
		const { response } = JSON.parse(data) as Loose;
		assert.equal(response.error.code, 'server_error');
		assert.match(response.error.message, /The service at http:\/\/127\.0\.0\.1:\d+ closed the connection/);
		assert.equal(response.output[0].content[0].text, 'Half');
	});
});
