import assert from 'node:assert/strict';
import { readChatSteps, readRunSteps } from '#editor/chat/endpoints/agentSteps.ts';
import { ChatCompletionsEndpoint } from '#editor/chat/endpoints/chatCompletionsEndpoint.ts';
import { CompletionsEndpoint } from '#editor/chat/endpoints/completionsEndpoint.ts';
import { ContentEndpoint } from '#editor/chat/endpoints/contentEndpoint.ts';
import type { ReplyStep } from '#editor/chat/endpoints/endpoint.ts';
import { MessagesEndpoint } from '#editor/chat/endpoints/messagesEndpoint.ts';
import { ReplyRun } from '#editor/chat/replies/replyRun.ts';
import { Chat } from '#editor/chat/transcripts/chat.ts';
import { parseTranscript } from '#editor/chat/transcripts/transcriptSchema.ts';
import { type TranscriptStore, transcriptByteLimit } from '#editor/chat/transcripts/transcriptStore.ts';
import type { EndpointKind, ReplyFacts } from '#pages/chat/transcript/transcript.ts';
import { createTranscript } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

type Stream = (events: AsyncIterable<unknown>) => AsyncIterable<ReplyStep>;

const request = { model: 'm', system: '', settings: {}, turns: [], user: '' };
const { signal } = new AbortController();
type Streamed = { streamReply(client: never, request: never, signal: AbortSignal): AsyncIterable<ReplyStep> };
const throughEndpoint =
	(endpoint: Streamed): Stream =>
	events =>
		endpoint.streamReply(new Proxy({}, { get: () => () => events }) as never, request as never, signal);

/** A valid reply of each protocol, with as many kinds of content as possible. */
const replies: readonly (readonly [kind: EndpointKind, what: string, stream: Stream, events: readonly unknown[]])[] = [
	[
		'messages',
		'messages',
		throughEndpoint(new MessagesEndpoint(words) as never),
		[
			{ type: 'message_start', message: { model: 'm', usage: { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 1 } } },
			{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: 't', signature: 's' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 't' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 's' } },
			{ type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'd' } },
			{ type: 'content_block_start', index: 2, content_block: { type: 'text', text: 'a' } },
			{ type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'b' } },
			{
				type: 'content_block_delta',
				index: 2,
				delta: { type: 'citations_delta', citation: { title: 't', url: 'https://x', cited_text: 'c' } },
			},
			{ type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'i', name: 'n', input: {} } },
			{ type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{}' } },
			{ type: 'content_block_start', index: 4, content_block: { type: 'server_tool_use', id: 'i', name: 'n', input: {} } },
			{ type: 'content_block_delta', index: 4, delta: { type: 'input_json_delta', partial_json: '{}' } },
			{ type: 'content_block_stop', index: 4 },
			{ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: 's' }, usage: { output_tokens: 2 } },
		],
	],
	[
		'content',
		'content',
		throughEndpoint(new ContentEndpoint(words) as never),
		[
			{
				modelVersion: 'm',
				usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, thoughtsTokenCount: 1, cachedContentTokenCount: 1 },
				candidates: [{ content: { parts: [{ text: 't', thought: true, thoughtSignature: 's' }, { text: 'a' }] } }],
			},
			{
				candidates: [
					{
						content: { parts: [{ text: 'b' }] },
						citationMetadata: { citationSources: [{ uri: 'https://x', title: 't' }] },
						groundingMetadata: { groundingChunks: [{ web: { uri: 'https://y', title: 'u' } }] },
					},
				],
			},
			{ candidates: [{ content: { parts: [{ functionCall: { id: 'i', name: 'f', args: { a: 1 } }, thoughtSignature: 's' }] } }] },
			{
				candidates: [
					{
						content: {
							parts: [{ inlineData: { mimeType: 'image/png', data: 'AA' } }, { inline_data: { mime_type: 'audio/wav', data: 'AA' } }],
						},
					},
				],
			},
			{ candidates: [{ content: { parts: [{ executableCode: { code: 'x' } }] }, finishReason: 'STOP', finishMessage: 'f' }] },
		],
	],
	[
		'chatCompletions',
		'chat completions',
		throughEndpoint(new ChatCompletionsEndpoint(words) as never),
		[
			{ model: 'm', choices: [{ index: 0, delta: { reasoning_content: 'r' } }] },
			{ choices: [{ delta: { content: 'a' } }] },
			{ choices: [{ delta: { refusal: 'x' } }] },
			{
				choices: [
					{
						delta: {
							tool_calls: [
								{ index: 0, id: 'i', function: { name: 'f', arguments: '{' }, extra_content: { google: { thought_signature: 's' } } },
							],
						},
					},
				],
			},
			{ choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '}' } }] }, finish_reason: 'tool_calls' }] },
			{
				usage: {
					prompt_tokens: 1,
					completion_tokens: 1,
					prompt_tokens_details: { cached_tokens: 1 },
					completion_tokens_details: { reasoning_tokens: 1 },
				},
			},
		],
	],
	[
		'completions',
		'completions',
		throughEndpoint(new CompletionsEndpoint(words) as never),
		[{ type: 'completion', completion: 'a', stop_reason: 'stop_sequence', model: 'm' }],
	],
	[
		'agent',
		'a chat agent',
		events => readChatSteps(events as never, words),
		[
			{ event: 'workflow_started', conversation_id: 'c', message_id: 'm', workflow_run_id: 'w', data: {} },
			{ event: 'reasoning_chunk', data: { reasoning: 'r' } },
			{ event: 'message', answer: 'a' },
			{ event: 'agent_thought', id: 't', tool: 'x', thought: 'y', tool_input: '{}', observation: 'o' },
			{ event: 'message_file', id: 'f', type: 'image', belongs_to: 'assistant', url: 'https://x/y.png', filename: 'y.png' },
			{ event: 'message_replace', answer: 'b', reason: 'output_moderation' },
			{
				event: 'human_input_required',
				data: {
					form_id: 'f',
					node_id: 'n',
					node_title: 't',
					form_content: 'c',
					form_token: 'k',
					expiration_time: 1,
					inputs: [
						{
							output_variable_name: 'v',
							type: 'file-list',
							number_limits: 2,
							allowed_file_types: ['image'],
							allowed_file_extensions: ['.png'],
							allowed_file_upload_methods: ['local_file'],
							default: { type: 'constant', value: 'd' },
						},
						{ output_variable_name: 's', type: 'select', option_source: { type: 'constant', value: ['o'] } },
					],
					actions: [{ id: 'a', title: 'A', button_style: 'primary' }],
					resolved_default_values: { v: 'w' },
				},
			},
			{ event: 'human_input_form_filled', data: { node_id: 'n', action_id: 'a', action_text: 'A' } },
			{
				event: 'message_end',
				metadata: {
					usage: { prompt_tokens: 1, completion_tokens: 1, total_price: '0.1', currency: 'USD' },
					retriever_resources: [{ document_name: 'd', dataset_name: 's', content: 'c', score: 0.5 }],
				},
			},
		],
	],
	[
		'agent',
		'a workflow',
		events => readRunSteps(events as never, words),
		[
			{ event: 'workflow_started', workflow_run_id: 'w', data: {} },
			{ event: 'text_chunk', data: { text: 'a', from_variable_selector: ['n', 'x'] } },
			{ event: 'text_replace', data: { text: 'b' } },
			{ event: 'workflow_finished', workflow_run_id: 'w', data: { status: 'succeeded', outputs: { text: 'b' }, total_tokens: 3 } },
		],
	],
];

/** Values that no service should send. `1e999` in JSON is read as `Infinity`, which is written as null. */
const wrongValues = [5, null, {}, Number.POSITIVE_INFINITY];

/** Returns the events with one value replaced by each wrong one, for each of their values. */
function* listWrongReplies(value: unknown, rebuild: (changed: unknown) => unknown): Iterable<unknown> {
	for (const wrong of wrongValues) {
		yield rebuild(wrong);
	}
	if (typeof value === 'object' && value !== null) {
		for (const [key, inner] of Object.entries(value)) {
			const copy = (changed: unknown) =>
				Array.isArray(value) ? (value as unknown[]).with(Number(key), changed) : { ...value, [key]: changed };
			yield* listWrongReplies(inner, changed => rebuild(copy(changed)));
		}
	}
}

async function* iterate(events: readonly unknown[]): AsyncIterable<unknown> {
	yield* events;
}

/** Returns a chat after a reply with these steps. */
async function receiveReply(kind: EndpointKind, stream: Stream, events: AsyncIterable<unknown>): Promise<Chat> {
	const store = { saveTranscript: async () => {}, saveTranscriptSync: () => {} } as unknown as TranscriptStore;
	const chat = new Chat(store, createTranscript('a', undefined, 1), error => assert.fail(String(error)));
	chat.addTurn('user', null, [{ kind: 'text', text: 'My question' }]);
	const facts: ReplyFacts = { status: 'streaming', endpoint: kind, connection: 'c', model: 'm' };
	const turn = chat.addTurn('assistant', chat.transcript.leaf, [], facts);
	const source = { streamSteps: () => stream(events), explainError: (error: unknown) => error };
	await new ReplyRun(chat, turn, facts, async () => source, words).ended;
	chat.dispose();
	return chat;
}

/** Returns the chat as it's saved after a reply. */
async function saveReply(kind: EndpointKind, stream: Stream, events: readonly unknown[]): Promise<string> {
	return JSON.stringify((await receiveReply(kind, stream, iterate(events))).transcript);
}

describe('a chat with a reply that has values of wrong types', () => {
	for (const [kind, what, stream, events] of replies) {
		it(`can be opened again: ${what}`, async () => {
			assert.match(await saveReply(kind, stream, events), /"status":"done"/);
			for (const [at, event] of events.entries()) {
				for (const wrong of listWrongReplies(event, changed => changed)) {
					const sent = events.with(at, wrong);
					const text = await saveReply(kind, stream, sent);
					assert.doesNotThrow(() => parseTranscript(words, text, 'a.json'), JSON.stringify(wrong));
				}
			}
		});
	}
});

describe('a reply that never ends', () => {
	const streamSteps = (steps: AsyncIterable<unknown>) => steps as AsyncIterable<ReplyStep>;
	async function* repeat(step: ReplyStep, times: number): AsyncIterable<ReplyStep> {
		yield { type: 'part', part: { kind: 'text', text: '' } };
		for (let n = 0; n < times; n++) {
			yield step;
		}
	}

	for (const [what, step, times] of [
		['text', { type: 'text', index: 0, text: 'x'.repeat(1_000_000) }, 40],
		['empty parts', { type: 'part', part: { kind: 'thinking', text: '' } }, 400_000],
	] as const) {
		it(`is cut off while the chat can still be saved: ${what}`, async () => {
			const chat = await receiveReply('messages', streamSteps, repeat(step, times));
			assert.equal(chat.transcript.turns.at(-1)?.reply?.problem?.reason, 'too-large');
			assert.ok(JSON.stringify(chat.transcript).length < transcriptByteLimit);
		});
	}

	it('has a limited number of notes', async () => {
		async function* noteOften(): AsyncIterable<ReplyStep> {
			for (let n = 0; n < 1000; n++) {
				yield { type: 'note', text: `note ${n}` };
			}
		}
		const chat = await receiveReply('agent', streamSteps, noteOften());
		assert.equal(chat.transcript.turns.at(-1)?.reply?.notes?.length, 20);
	});
});
