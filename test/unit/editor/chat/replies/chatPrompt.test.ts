import assert from 'node:assert/strict';
import { createChatPrompt } from '#editor/chat/replies/chatPrompt.ts';
import { createTranscript, type Turn } from '#pages/chat/transcript/transcript.ts';

const reply = { status: 'done', endpoint: 'messages', connection: 'Fake', model: 'small' } as const;
const turns: Turn[] = [
	{ id: 'a', parent: null, role: 'user', at: 0, parts: [{ kind: 'text', text: 'Hello' }] },
	{ id: 'b', parent: 'a', role: 'assistant', at: 0, parts: [{ kind: 'text', text: 'Hi.' }], reply },
	{
		id: 'c',
		parent: 'b',
		role: 'user',
		at: 0,
		parts: [
			{ kind: 'file', name: 'a.ts', language: 'ts', text: 'const a = 1;' },
			{ kind: 'text', text: 'Explain' },
		],
	},
	{ id: 'd', parent: 'c', role: 'assistant', at: 0, parts: [{ kind: 'text', text: 'A number.' }], reply },
	{ id: 'e', parent: 'c', role: 'assistant', at: 0, parts: [{ kind: 'text', text: 'Another version.' }], reply },
];

describe('the prompt of a chat', () => {
	const transcript = { ...createTranscript('x'), system: 'Be brief.', settings: { messages: { temperature: 0.3 } }, turns, leaf: 'e' };
	const connections = [{ id: 'fake', name: 'Fake', kind: 'anthropic', user: '' }] as const;

	it('has the messages up to the chosen version of a reply, and that reply as the answer', () => {
		const { messages, answer, target, settings } = createChatPrompt(transcript, 'd', connections);
		assert.deepEqual(
			messages.map(({ role, text }) => [role, text]),
			[
				['system', 'Be brief.'],
				['user', 'Hello'],
				['assistant', 'Hi.'],
				['user', 'a.ts\n```ts\nconst a = 1;\n```\n\nExplain'],
			],
		);
		assert.deepEqual([answer?.text, target?.connectionId, target?.model, settings], ['A number.', 'fake', 'small', { temperature: 0.3 }]);
	});

	it('has no model if the connection of the reply was removed', () => {
		assert.equal(createChatPrompt(transcript, 'd', []).target, undefined);
	});
});
