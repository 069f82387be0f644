import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { PromptActions } from '#editor/prompts/promptActions.ts';
import { PromptPanel } from '#editor/prompts/promptPanel.ts';
import type { FromPrompt, FromPromptHost, PromptState } from '#pages/prompt/promptMessages.ts';
import { PlayedPanel } from '../../../support/editor/playedPanel.ts';
import { runInUntrustedWorkspace } from '../../../support/editor/untrusted.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

const start = [{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }];
const createText = (value: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: value } });
const end = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }];

const column = { id: 'a', connectionId: 'c', connection: 'Service', endpoint: 'messages', model: 'small' } as const;
const state: PromptState = {
	source: { title: 'Write', file: 'file:///agents/write.yml', node: 'write' },
	prompt: {
		messages: [{ id: 'm0', role: 'user', text: 'Sum {{#start.text#}}' }],
		variables: [{ name: 'start.text', value: 'the sea' }],
		parameters: { temperature: 0.5 },
	},
	columns: [column, { ...column, id: 'b', model: 'large' }],
};

describe('the host of a playground', () => {
	let panel: PlayedPanel;
	let page: PromptPanel;
	let sent: { model: string; messages: unknown; temperature: number }[];
	let stream: (model: string, signal: AbortSignal) => AsyncIterable<unknown>;
	const send = (message: FromPrompt) => panel.sendFromPage(message);
	const findAnswer = (id: string, status: string) =>
		waitUntil(`the answer of ${id}`, () =>
			(panel.messages as unknown as FromPromptHost[])
				.flatMap(message => (message.type === 'answer' && message.column === id ? [message.answer] : []))
				.findLast(answer => answer.reply.status === status),
		);

	const open = (shown: PromptState) => {
		const connection = { id: 'c', name: 'Service', kind: 'anthropic-compatible', user: '', baseUrl: 'https://service.example' };
		const client = {
			listMessagesModels: async () => [],
			streamMessage: (body: (typeof sent)[number], { signal }: { signal: AbortSignal }) => {
				sent.push(body);
				return stream(body.model, signal);
			},
		};
		const connections = { get: () => connection, getClient: async () => client, toProblem: (_: string, error: unknown) => error };
		const log = { debug: () => {}, warn: (text: string) => assert.fail(text) };
		const actions = new PromptActions({ connections, log, prepare: async () => {}, readings: () => assert.fail() } as never);
		panel = new PlayedPanel();
		page = new PromptPanel(panel.panel as vscode.WebviewPanel, shown, actions);
		send({ type: 'ready' });
	};

	beforeEach(() => {
		sent = [];
		stream = async function* (model) {
			yield* [...start, createText(`I am ${model}.`), ...end];
		};
		open(state);
	});
	afterEach(() => page.dispose());

	it('streams the answers of all models to the prompt as it is on the page', async () => {
		send({ type: 'prompt', prompt: { ...state.prompt, messages: [{ id: 'm0', role: 'user', text: 'Praise {{#start.text#}}' }] } });
		send({ type: 'runAll' });
		assert.equal((await findAnswer('a', 'done')).text, 'I am small.');
		assert.equal((await findAnswer('b', 'done')).text, 'I am large.');
		assert.deepEqual(
			sent.map(({ messages, temperature }) => [messages, temperature]),
			[
				[[{ role: 'user', content: 'Praise the sea' }], 0.5],
				[[{ role: 'user', content: 'Praise the sea' }], 0.5],
			],
		);
	});

	it('shows an error in its column only, and answers when it is tried again', async () => {
		const works = stream;
		stream = (model, signal) => {
			if (model === 'small') {
				throw new Error('broken');
			}
			return works(model, signal);
		};
		send({ type: 'runAll' });
		assert.equal((await findAnswer('a', 'failed')).reply.problem?.message, 'broken');
		await findAnswer('b', 'done');
		stream = works;
		send({ type: 'column', column: 'a', action: 'run' });
		assert.equal((await findAnswer('a', 'done')).text, 'I am small.');
		assert.equal(sent.length, 3);
	});

	it('stops an answer and keeps what has arrived, also when the page is closed', async () => {
		const aborted: string[] = [];
		stream = async function* (model, signal) {
			yield* [...start, createText('So far')];
			await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
			aborted.push(model);
			signal.throwIfAborted();
		};
		send({ type: 'runAll' });
		await waitUntil('both requests', () => sent.length === 2);
		send({ type: 'column', column: 'a', action: 'stop' });
		assert.equal((await findAnswer('a', 'stopped')).text, 'So far');
		assert.deepEqual(aborted, ['small']);
		page.dispose();
		await waitUntil('the other stop', () => aborted.includes('large'));
	});

	it('sends nothing if a variable without a value leaves a message empty', async () => {
		const messages: PromptState['prompt']['messages'] = [
			{ id: 'm0', role: 'system', text: 'Sum it up.' },
			{ id: 'm1', role: 'user', text: '{{#start.text#}}' },
		];
		send({ type: 'prompt', prompt: { ...state.prompt, messages, variables: [{ name: 'start.text', value: '' }] } });
		send({ type: 'runAll' });
		assert.match((await findAnswer('a', 'failed')).reply.problem?.message ?? '', /^'start\.text' has no value/);
		assert.deepEqual(sent, []);
	});

	it('sends nothing of an agent file in an untrusted workspace', async () => {
		await runInUntrustedWorkspace(async () => {
			send({ type: 'runAll' });
			assert.equal((await findAnswer('a', 'failed')).reply.problem?.reason, 'untrusted');
		});
		assert.deepEqual(sent, []);
	});

	it('shows what changed in the file when it is opened again, but keeps what the user entered', () => {
		const base = { at: 0, role: 'user', text: 'Sum {{#start.text#}}' } as const;
		const messages = [{ id: 'm0', role: 'user', text: base.text, base }] as const;
		const opened = {
			...state,
			source: { ...state.source, parameters: { temperature: 0.5 }, length: 1 },
			prompt: { ...state.prompt, messages: [...messages] },
		};
		const changed: PromptState = {
			...opened,
			prompt: {
				...opened.prompt,
				messages: [{ id: 'm0', role: 'user', text: 'Praise {{#start.text#}}', base: { ...base, text: 'Praise {{#start.text#}}' } }],
			},
		};
		const reopen = (edited: Partial<PromptState['prompt']>) => {
			open(opened);
			send({ type: 'prompt', prompt: { ...opened.prompt, ...edited } });
			page.refreshPrompt(changed);
			const { state: shown } = panel.messages.at(-1) as unknown as Extract<FromPromptHost, { type: 'snapshot' }>;
			return [shown.prompt.messages[0]?.text, shown.prompt.variables[0]?.value];
		};
		assert.deepEqual(reopen({}), ['Praise {{#start.text#}}', 'the sea']);
		assert.deepEqual(reopen({ variables: [{ name: 'start.text', value: 'mine', edited: true }] }), ['Praise {{#start.text#}}', 'mine']);
		const fixed = { id: 's0', role: 'user', text: 'mine', fixed: 'sent' } as const;
		for (const edited of [[], [...messages, { ...fixed, edited: true as const }], [{ ...messages[0], text: 'mine' }]]) {
			open(opened);
			send({ type: 'prompt', prompt: { ...opened.prompt, messages: edited } });
			const count = panel.messages.length;
			page.refreshPrompt(changed);
			assert.equal(panel.messages.length, count, JSON.stringify(edited));
		}
		assert.deepEqual(reopen({ messages: [...messages, fixed] }), ['Praise {{#start.text#}}', 'the sea']);
	});

	it('marks an answer as interrupted that was not complete when the window was closed', () => {
		const reply = { status: 'streaming', endpoint: 'messages', connection: 'Service', model: 'small' } as const;
		open({ ...state, columns: [{ ...column, answer: { text: 'So', reply } }] });
		const [snapshot] = panel.messages as unknown as Extract<FromPromptHost, { type: 'snapshot' }>[];
		assert.equal(snapshot?.state.columns[0]?.answer?.reply.status, 'interrupted');
	});
});
