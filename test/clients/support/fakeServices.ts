import {
	type Answer,
	createJsonResponse,
	createStreamResponse,
	type RecordedRequest,
	RecordingUpstream,
} from '../../contract/recordingUpstream.ts';

/** Reply of a faked model: text or a tool call. */
export type Said = { readonly text: string } | { readonly tool: string; readonly input: object };

/** A request to any of the three services. */
export interface Asked {
	/** The parsed JSON body. */
	readonly body: Record<string, unknown>;
	/** True if the last message is a tool result. */
	readonly answersTool: boolean;
	/** Names of the offered tools, unchanged. */
	readonly tools: readonly string[];
}

/** Protocols of the upstreams and so of the routes. */
export const protocols = ['anthropic', 'google', 'openai-compatible'] as const;

/** The APIs of Anthropic, Google and OpenAI (with /responses) on one loopback address; the test chooses the model's replies. */
export class FakeServices {
	readonly upstream = new RecordingUpstream();
	readonly asked: Asked[] = [];
	/** True if OpenAI event streams end with an empty line. Some services omit this line; the gateway adds it when it translates. */
	endsStreams = false;
	say: (asked: Asked) => Said = () => ({ text: 'Hello from the fake.' });

	async start(): Promise<this> {
		await this.upstream.start();
		this.upstream.answer = (request, response) => this.#createAnswer(request)(request, response);
		return this;
	}

	/** Returns the requests with tools. Clients also send other requests in the background. */
	listToolRequests(): readonly Asked[] {
		return this.asked.filter(({ tools }) => tools.length > 0);
	}

	#createAnswer(request: RecordedRequest): Answer {
		if (request.method !== 'POST') {
			return createJsonResponse({ data: [], models: [] });
		}
		const body = JSON.parse(request.body.toString()) as Record<string, unknown>;
		if (/count_?tokens/i.test(request.url)) {
			return createJsonResponse({ input_tokens: 10, totalTokens: 10 });
		}
		const asked = { body, answersTool: isAnsweringTool(body), tools: getToolNames(body) };
		this.asked.push(asked);
		const said = this.say(asked);
		if (request.url.startsWith('/v1/messages')) {
			return body['stream'] === true ? createStreamResponse(createClaudeEvents(said)) : createJsonResponse(createClaudeMessage(said));
		}
		if (request.url.startsWith('/v1beta/')) {
			const reply = createGeminiReply(said);
			return request.url.includes(':stream') ? createStreamResponse(`data: ${JSON.stringify(reply)}\r\n\r\n`) : createJsonResponse(reply);
		}
		if (request.url.startsWith('/v1/responses')) {
			return createStreamResponse(createResponseEvents(said));
		}
		return body['stream'] === true
			? createStreamResponse(createOpenAiEvents(said) + (this.endsStreams ? '\n\ndata: [DONE]\n\n' : ''))
			: createJsonResponse(createOpenAiResponse(said));
	}
}

function isAnsweringTool({ messages, contents, input }: Record<string, unknown>): boolean {
	if (Array.isArray(input)) {
		return (input.at(-1) as { type?: string }).type === 'function_call_output';
	}
	const turns = (messages ?? contents ?? []) as { role: string; content?: unknown; parts?: object[] }[];
	// files of a tool result come in a user message after it
	return turns
		.slice(-2)
		.some(({ role, content, parts }) => role === 'tool' || /"tool_result"|"functionResponse"/.test(JSON.stringify(content ?? parts ?? '')));
}

function getToolNames({ tools }: Record<string, unknown>): string[] {
	const list = (tools ?? []) as { name?: string; function?: { name: string }; functionDeclarations?: { name: string }[] }[];
	return list.flatMap(({ name, function: f, functionDeclarations }) => functionDeclarations?.map(d => d.name) ?? [f?.name ?? name ?? '']);
}

/** Puts a signed thought before a tool call, which the API expects back later. */
function createClaudeMessage(said: Said) {
	const content =
		'text' in said
			? [{ type: 'text', text: said.text }]
			: [
					{ type: 'thinking', thinking: 'I need a tool.', signature: 'c2lnbmVk' },
					{ type: 'tool_use', id: 'toolu_1', name: said.tool, input: said.input },
				];
	return {
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: 'fake-claude',
		content,
		stop_reason: 'text' in said ? 'end_turn' : 'tool_use',
		stop_sequence: null,
		usage: { input_tokens: 12, output_tokens: 5 },
	};
}

function createClaudeEvents(said: Said): string {
	const { content, ...message } = createClaudeMessage(said);
	const events: object[] = [{ type: 'message_start', message: { ...message, content: [], stop_reason: null } }];
	for (const [index, block] of content.entries()) {
		const { text, thinking, signature, input, ...start } = block as Record<string, unknown>;
		const empty = text !== undefined ? { text: '' } : thinking !== undefined ? { thinking: '', signature: '' } : { input: {} };
		events.push({ type: 'content_block_start', index, content_block: { ...start, ...empty } });
		const deltas = [
			...(text === undefined ? [] : [{ type: 'text_delta', text }]),
			...(thinking === undefined
				? []
				: [
						{ type: 'thinking_delta', thinking },
						{ type: 'signature_delta', signature },
					]),
			...(input === undefined ? [] : [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }]),
		];
		events.push(...deltas.map(delta => ({ type: 'content_block_delta', index, delta })), { type: 'content_block_stop', index });
	}
	events.push(
		{ type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
		{ type: 'message_stop' },
	);
	return events.map(event => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

function createGeminiReply(said: Said) {
	const part = 'text' in said ? { text: said.text } : { functionCall: { name: said.tool, args: said.input }, thoughtSignature: 'c2lnbmVk' };
	return {
		candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
		usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 5, totalTokenCount: 17 },
		modelVersion: 'fake-gemini',
		responseId: 'r1',
	};
}

const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 };

function createOpenAiMessage(said: Said): object {
	return 'text' in said
		? { role: 'assistant', content: said.text }
		: {
				role: 'assistant',
				content: null,
				tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: said.tool, arguments: JSON.stringify(said.input) } }],
			};
}

function createOpenAiResponse(said: Said) {
	const finish_reason = 'text' in said ? 'stop' : 'tool_calls';
	return {
		id: 'c1',
		object: 'chat.completion',
		created: 1,
		model: 'fake-gpt',
		choices: [{ index: 0, message: createOpenAiMessage(said), finish_reason }],
		usage,
	};
}

/** Formats a stream without its last empty line, which some services omit. */
function createOpenAiEvents(said: Said): string {
	const base = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'fake-gpt' };
	const chunks = [
		{ ...base, choices: [{ index: 0, delta: createOpenAiMessage(said), finish_reason: null }] },
		{ ...base, choices: [{ index: 0, delta: {}, finish_reason: 'text' in said ? 'stop' : 'tool_calls' }], usage },
	];
	return chunks.map(chunk => `data: ${JSON.stringify(chunk)}`).join('\n\n');
}

/** Formats the events of OpenAI's own /responses: one item, which is complete only at the end. */
function createResponseEvents(said: Said): string {
	const id = 'item_1';
	const item =
		'text' in said
			? {
					id,
					type: 'message',
					role: 'assistant',
					status: 'completed',
					content: [{ type: 'output_text', text: said.text, annotations: [] }],
				}
			: { id, type: 'function_call', status: 'completed', call_id: 'call_1', name: said.tool, arguments: JSON.stringify(said.input) };
	const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'fake-gpt', status: 'in_progress', output: [] };
	const usage = { input_tokens: 12, output_tokens: 5, total_tokens: 17 };
	const events: { readonly type: string; readonly [field: string]: unknown }[] = [
		{ type: 'response.created', response },
		{
			type: 'response.output_item.added',
			output_index: 0,
			item: { ...item, status: 'in_progress', ...('text' in said && { content: [] }) },
		},
		...('text' in said ? [{ type: 'response.output_text.delta', item_id: id, output_index: 0, content_index: 0, delta: said.text }] : []),
		{ type: 'response.output_item.done', output_index: 0, item },
		{ type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
	];
	return events.map((event, n) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: n })}\n\n`).join('');
}
