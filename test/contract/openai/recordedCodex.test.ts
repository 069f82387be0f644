import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { formatAnthropicBytes } from '../fixtureStreams.ts';
import { postBytes } from '../post.ts';
import { createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read untyped items and requests
type Loose = any;

const { requests } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, '../../fixtures/codex/session.json'), 'utf8')) as {
	requests: Loose[];
};

/** Requests recorded from the real program; `npm run test:clients` runs the program itself. */
describe('a recorded session of Codex', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway([
			{ model: 'gpt-native', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1`, responses: true },
			{ model: 'gpt-translated', provider: 'anthropic', base_url: upstream.baseUrl, upstream_model: 'claude' },
		]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const sendRecordedRequest = async (request: Loose, model: string) => {
		const body = JSON.stringify({ ...request, model });
		const reply = await postBytes(`${gateway.baseUrl}/v1/responses`, body, { authorization: `Bearer ${gateway.apiKey}` });
		assert.equal(reply.status, 200, reply.body.toString());
		return { body, reply };
	};

	it('is forwarded unchanged in both directions to a service with /responses', async () => {
		const answer =
			'event: response.created\ndata: {"type":"response.created"}\n\nevent: response.completed\ndata: {"type":"response.completed"}\n\n';
		upstream.answer = createStreamResponse(answer);
		for (const request of requests) {
			const { body, reply } = await sendRecordedRequest(request, 'gpt-native');
			assert.equal(upstream.last.body.toString(), body);
			assert.equal(upstream.last.url, '/v1/responses');
			assert.equal(reply.body.toString(), answer);
		}
	});

	it("reaches a service of another protocol with its command and the command's output", async () => {
		const usage = { input_tokens: 1, output_tokens: 1 };
		const createClaudeEvents = (block: Loose, delta: Loose, stop_reason: string) =>
			createStreamResponse(
				formatAnthropicBytes(
					[
						{ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage } },
						{ type: 'content_block_start', index: 0, content_block: block },
						{ type: 'content_block_delta', index: 0, delta },
						{ type: 'content_block_stop', index: 0 },
						{ type: 'message_delta', delta: { stop_reason }, usage },
						{ type: 'message_stop' },
					].map(event => JSON.stringify(event)),
				),
			);
		const parseEvents = (text: string): Loose[] =>
			[...text.matchAll(/^data: (\{.*)$/gm)]
				.map(([, data]) => JSON.parse(data ?? ''))
				.filter(({ type }) => type === 'response.output_item.done')
				.map(({ item }) => item);
		const [first, second] = requests;

		const call = { type: 'tool_use', id: 'call_1', name: 'exec_command', input: {} };
		upstream.answer = createClaudeEvents(call, { type: 'input_json_delta', partial_json: '{"cmd":"cat a.txt"}' }, 'tool_use');
		const [item] = parseEvents((await sendRecordedRequest(first, 'gpt-translated')).reply.body.toString());
		const recorded = second.input.find(({ type }: Loose) => type === 'function_call');
		assert.deepEqual([item.type, item.call_id, item.name, item.arguments], ['function_call', 'call_1', recorded.name, recorded.arguments]);
		const tools: string[] = JSON.parse(upstream.last.body.toString()).tools.map(({ name }: Loose) => name);
		assert.ok(tools.includes('exec_command') && tools.some(name => name.startsWith('multi_agent_v1__')), tools.join());
		assert.ok(!tools.includes('web_search'));

		upstream.answer = createClaudeEvents({ type: 'text', text: '' }, { type: 'text_delta', text: 'It says forty-two.' }, 'end_turn');
		const { reply } = await sendRecordedRequest(second, 'gpt-translated');
		assert.equal(parseEvents(reply.body.toString())[0].content[0].text, 'It says forty-two.');
		assert.match(String(reply.headers['warning']), /web_search/);
		const output = second.input.find(({ type }: Loose) => type === 'function_call_output').output;
		assert.ok(JSON.stringify(JSON.parse(upstream.last.body.toString()).messages.at(-1)).includes(JSON.stringify(output).slice(1, -1)));
	});
});
