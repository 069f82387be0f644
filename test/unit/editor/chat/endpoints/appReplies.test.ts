import assert from 'node:assert/strict';
import type { ChatEvent } from '#contract/chat.ts';
import { readChatSteps } from '#editor/chat/endpoints/agentSteps.ts';
import type { ReplyStep } from '#editor/chat/endpoints/endpoint.ts';
import type { ChatPart } from '#pages/chat/transcript/transcript.ts';
import { words } from './words.ts';

const ids = { task_id: 't', message_id: 'm1', conversation_id: 'c1' };
const createChunkEvent = (answer: string) => ({ event: 'agent_message', ...ids, answer });
const createWholeEvent = (answer: string) => ({ event: 'message', ...ids, answer });
const createThought = (id: string, fields: object) => ({ event: 'agent_thought', ...ids, id, position: 1, ...fields });
const end = { event: 'message_end', ...ids, metadata: { usage: { prompt_tokens: 1, completion_tokens: 2 } } };

async function* iterateEvents(all: readonly object[]): AsyncIterable<ChatEvent> {
	yield* all as ChatEvent[];
}

async function collectSteps(...came: object[]): Promise<ReplyStep[]> {
	const steps: ReplyStep[] = [];
	for await (const step of readChatSteps(iterateEvents(came), words)) {
		steps.push(step);
	}
	return steps;
}

/** Returns the parts of a reply after these events. */
async function collectParts(...came: object[]): Promise<ChatPart[]> {
	const parts: ChatPart[] = [];
	for (const step of await collectSteps(...came)) {
		if (step.type === 'part') {
			parts.push({ ...step.part });
		} else if (step.type === 'text') {
			(parts[step.index] as { text: string }).text += step.text;
		} else if (step.type === 'patch') {
			Object.assign(parts[step.index]!, step.fields);
		} else if (step.type === 'whole') {
			const texts = parts.slice(0, step.index).flatMap(part => (part.kind === 'text' ? [part.text] : []));
			const before = step.text.startsWith(texts.join('')) ? texts.join('') : '';
			if (before === '') {
				for (const part of parts) {
					Object.assign(part, part.kind === 'text' && { text: '' });
				}
			}
			Object.assign(parts[step.index]!, { text: step.text.slice(before.length) });
		}
	}
	return parts;
}

/** Returns copies of an event. In each, the value replaces one field at any depth. */
function corruptFields(event: Record<string, unknown>, value: unknown): Record<string, unknown>[] {
	return Object.entries(event).flatMap(([name, was]) => [
		...(name === 'event' ? [] : [{ ...event, [name]: value }]),
		...(typeof was === 'object' && was !== null && !Array.isArray(was)
			? corruptFields(was as Record<string, unknown>, value).map(inner => ({ ...event, [name]: inner }))
			: []),
	]);
}

const getText = (parts: readonly ChatPart[]) => parts.map(part => (part.kind === 'text' ? part.text : '')).join('');

describe('replies of Dify apps', () => {
	it('show the closing message of a new agent once, even with other events between its chunks', async () => {
		assert.equal(getText(await collectParts(createChunkEvent('Hel'), createChunkEvent('lo'), createWholeEvent('Hello'), end)), 'Hello');
		const tool = createThought('a', { tool: 'search', tool_input: '{}', observation: 'x' });
		assert.equal(
			getText(
				await collectParts(
					createChunkEvent('Let me look. '),
					tool,
					createChunkEvent('28 days'),
					createWholeEvent('Let me look. 28 days'),
					end,
				),
			),
			'Let me look. 28 days',
		);
		assert.equal(
			getText(await collectParts(createChunkEvent('Let me look. '), tool, createChunkEvent('28 days'), createWholeEvent('28 days'), end)),
			'Let me look. 28 days',
		);
	});

	it('use the closing message if it differs or is the only one', async () => {
		assert.equal(
			getText(await collectParts(createChunkEvent('Hel'), createChunkEvent('lo'), createWholeEvent('Good day'), end)),
			'Good day',
		);
		assert.equal(getText(await collectParts(createWholeEvent('Hello'), end)), 'Hello');
		assert.equal(getText(await collectParts(createChunkEvent('Hello'), createWholeEvent(''), end)), 'Hello');
		assert.equal(getText(await collectParts(createChunkEvent(''), createWholeEvent('Hel'), createWholeEvent('lo'), end)), 'Hello');
	});

	it('are streamed if messages arrive in chunks', async () => {
		assert.equal(getText(await collectParts(createWholeEvent('ha'), createWholeEvent('ha'), createWholeEvent('ha'), end)), 'hahaha');
	});

	it('have the message ID of the service', async () => {
		const steps = await collectSteps(createChunkEvent('a'), createChunkEvent('b'), end);
		assert.deepEqual(
			steps.filter(({ type }) => type === 'message'),
			[{ type: 'message', id: 'm1' }],
		);
	});

	it('show each step of an agent once and in order', async () => {
		const parts = await collectParts(
			createThought('a', { thought: '', tool: '', tool_input: '', observation: '' }),
			createChunkEvent('I look it up. '),
			createThought('a', { thought: 'I look it up.', tool: 'search;clock', tool_input: '{"search":{"q":"leave"}}', observation: '' }),
			createThought('a', {
				thought: 'I look it up.',
				tool: 'search;clock',
				tool_input: '{"search":{"q":"leave"}}',
				observation: '28 days',
			}),
			createThought('b', { thought: '' }),
			createChunkEvent('28 days.'),
			createThought('b', { thought: '28 days.', tool: '' }),
			end,
		);
		assert.deepEqual(parts, [
			{ kind: 'text', text: 'I look it up. ' },
			{ kind: 'step', id: 'a', tool: 'search, clock', text: '', input: '{"search":{"q":"leave"}}', output: '28 days' },
			{ kind: 'text', text: '28 days.' },
		]);
	});

	it('show thoughts that are not part of the answer as thinking', async () => {
		const parts = await collectParts(
			createThought('a', { thought: 'Hm' }),
			createThought('a', { thought: 'Hmm' }),
			createChunkEvent('Yes'),
			end,
		);
		assert.deepEqual(parts, [
			{ kind: 'thinking', text: 'Hmm' },
			{ kind: 'text', text: 'Yes' },
		]);
	});

	it('handle invalid steps and a megabyte of thought', async () => {
		const big = 'x'.repeat(1_000_000);
		const parts = await collectParts(
			createThought('', { tool: 'lost' }),
			{ event: 'agent_thought', ...ids },
			createThought('a', { thought: big, tool: big, tool_input: { q: 1 }, observation: null }),
			createChunkEvent('Yes'),
			end,
		);
		const [step, text] = parts as [Extract<ChatPart, { kind: 'step' }>, ChatPart];
		assert.deepEqual([parts.length, step.kind, step.input, step.output], [2, 'step', '{"q":1}', '']);
		assert.ok(step.text.length === 200_000 && step.tool.length === 200 && step.text.endsWith('…'));
		assert.deepEqual(text, { kind: 'text', text: 'Yes' });
	});

	it("show files from tools once and in order, but not the user's files or files without a URL", async () => {
		const createFile = (fields: object) => ({ event: 'message_file', ...ids, type: 'image', belongs_to: 'assistant', ...fields });
		const url = 'https://dify.example/files/tools/a%20cat.png?sign=x';
		const parts = await collectParts(
			createChunkEvent('Here: '),
			createFile({ id: 'f1', url }),
			createFile({ id: 'f1', url }),
			createFile({ id: 'f2', url: '/files/tools/%zz', type: 'document' }),
			createFile({ id: 'f3', url, belongs_to: 'user' }),
			createFile({ id: 'f4' }),
			createFile({ id: 5, url: { href: url } }),
			createFile({ id: 'f5', url: `https://x/${'y'.repeat(9999)}` }),
			createFile({ id: 'f6', url: 'javascript:alert(1)//a.png', filename: `${'n'.repeat(999)}` }),
			createChunkEvent('A cat.'),
			createWholeEvent('Here: A cat.'),
			end,
		);
		const long = `${'n'.repeat(199)}…`;
		assert.deepEqual(parts, [
			{ kind: 'text', text: 'Here: ' },
			{ kind: 'stored', name: 'a cat.png', id: 'f1', url, type: 'image' },
			{ kind: 'stored', name: 'file', id: 'f2', url: '/files/tools/%zz' },
			{ kind: 'stored', name: long, id: 'f6', url: 'javascript:alert(1)//a.png', type: 'image' },
			{ kind: 'text', text: 'A cat.' },
		]);
	});

	it('handle any field of any event with another type', async () => {
		const resource = { document_name: 'd', dataset_name: 'h', content: 'c', score: 1 };
		const form = { form_id: 'f', node_id: 'n', node_title: 'Ask', form_content: 'c', inputs: [], actions: [], form_token: 't' };
		const all: Record<string, unknown>[] = [
			createChunkEvent('a'),
			createWholeEvent('a'),
			createThought('s', { thought: 't', tool: 'u', tool_input: 'i', observation: 'o' }),
			{ event: 'message_file', ...ids, id: 'f', type: 'image', belongs_to: 'assistant', url: '/f' },
			{ event: 'reasoning_chunk', ...ids, data: { message_id: 'm1', reasoning: 'r', node_id: 'n', is_final: false } },
			{ event: 'message_replace', ...ids, answer: 'b', reason: 'output_moderation' },
			{ event: 'workflow_started', ...ids, workflow_run_id: 'r', data: {} },
			{ event: 'human_input_required', ...ids, data: form },
			{ event: 'human_input_form_filled', ...ids, data: { node_id: 'n', action_id: 'a', action_text: 'A' } },
			{ event: 'tts_message', ...ids, audio: 'SUQz' },
			{ ...end, metadata: { usage: { prompt_tokens: 1, total_price: '1', currency: 'USD' }, retriever_resources: [resource] } },
		];
		const odd = [null, 5, '', true, [], {}, [null], { data: null }];
		for (const event of all) {
			for (const spoiled of odd.flatMap(value => corruptFields(event, value))) {
				for (const before of [[], [createChunkEvent('a')]]) {
					const parts = await collectParts(...before, spoiled, end);
					for (const part of parts) {
						const { text = '', name = '' } = part as { text?: unknown; name?: unknown };
						assert.deepEqual([typeof text, typeof name], ['string', 'string'], JSON.stringify(spoiled));
						assert.doesNotMatch(String(text), /undefined|\[object/, JSON.stringify(spoiled));
					}
				}
			}
		}
	});

	it('ignore unrequested speech', async () => {
		const createTtsEvent = (event: string, audio: string) => ({ event, ...ids, audio });
		const steps = await collectSteps(
			createChunkEvent('Yes'),
			createTtsEvent('tts_message', 'SUQz'),
			createTtsEvent('tts_message_end', ''),
			end,
		);
		assert.deepEqual(steps, await collectSteps(createChunkEvent('Yes'), end));
	});

	const listNotes = (steps: readonly ReplyStep[]) => steps.flatMap(step => (step.type === 'note' ? [step.text] : []));
	const createReplaceEvent = (answer: string, fields: object = {}) => ({ event: 'message_replace', ...ids, answer, ...fields });

	it('note that the text was replaced, and why', async () => {
		const came = [
			createChunkEvent('Something bad'),
			createReplaceEvent('Let us talk of something else', { reason: 'output_moderation' }),
			end,
		];
		assert.equal(getText(await collectParts(...came)), 'Let us talk of something else');
		assert.deepEqual(listNotes(await collectSteps(...came)), ["The service's moderation replaced the original text."]);
		assert.match(
			listNotes(await collectSteps(createReplaceEvent('b', { reason: `<b>${'x'.repeat(999)}` }), end))[0] ?? '',
			/^The service replaced .{1,150}$/,
		);
		assert.equal(listNotes(await collectSteps(createWholeEvent('bad'), createReplaceEvent('good'), end)).length, 1);
	});

	it('have no note if the service only repeats earlier text', async () => {
		assert.deepEqual(listNotes(await collectSteps(createReplaceEvent('Hello'), end)), []);
		assert.deepEqual(listNotes(await collectSteps(createWholeEvent('Hel'), createReplaceEvent('Hello'), end)), []);
	});

	it('note that they are annotations', async () => {
		const annotated = { ...end, metadata: { annotation_reply: { id: 'a1', account: { id: 'x', name: 'Ana' } } } };
		assert.equal(listNotes(await collectSteps(createWholeEvent('28 days'), annotated)).length, 1);
		assert.equal(listNotes(await collectSteps(createWholeEvent('28 days'), { ...end, metadata: { annotation_reply: null } })).length, 0);
	});

	it('show reasoning separately, and sources on the last text', async () => {
		const createReasoning = (text: string) => ({
			event: 'reasoning_chunk',
			...ids,
			data: { message_id: 'm1', reasoning: text, node_id: 'n', is_final: text === '' },
		});
		const hostile = {
			document_name: `<img src=x onerror=alert(1)>${'y'.repeat(9999)}`,
			content: '<script>',
			score: '0.9',
			dataset_name: 5,
		};
		const resources = [...Array(200).keys()].map(n => ({ ...hostile, document_name: `${n} ${hostile.document_name}` }));
		const parts = await collectParts(
			createReasoning('Because'),
			createReasoning(''),
			createWholeEvent('Yes'),
			createThought('a', { tool: 'search' }),
			{
				...end,
				metadata: { retriever_resources: resources },
			},
		);
		assert.deepEqual(parts[0], { kind: 'thinking', text: 'Because' });
		const { citations } = parts[1] as Extract<ChatPart, { kind: 'text' }>;
		assert.equal(citations?.length, 50);
		assert.deepEqual([citations?.[0]?.title.length, citations?.[0]?.quote, citations?.[0]?.score], [200, '<script>', undefined]);
	});
});
