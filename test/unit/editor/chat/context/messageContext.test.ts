import assert from 'node:assert/strict';
import { type ContextKind, MessageContext } from '#editor/chat/context/messageContext.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';

describe('the context for a message', () => {
	let texts: Map<string, string>;
	let context: MessageContext;
	beforeEach(() => {
		texts = new Map([['a', 'first']]);
		const createMention = (name: string) => ({ source: `files:${name}`, icon: 'file', name, detail: '', text: name });
		const read = async (name: string) => {
			const text = texts.get(name);
			assert.ok(text !== undefined, `${name} is gone`);
			return { kind: 'file' as const, name, language: '', text };
		};
		const kinds: ContextKind[] = [
			{ id: 'problems', icon: 'warning', label: 'Problems', read },
			{ id: 'terminal', icon: 'terminal', label: 'Terminal selection', isFixed: true, read: () => read('a') },
			{
				id: 'files',
				icon: 'file',
				label: 'Files',
				find: async query => ['a', 'prose', 'b'].filter(name => name.includes(query)).map(createMention),
				read,
			},
			{ id: 'symbols', icon: 'symbol-misc', label: 'Symbols', isSlow: true, find: () => new Promise(() => {}), read },
			{ id: 'nodes', icon: 'node', label: 'Nodes', find: () => Promise.reject(new Error('no nodes')), read },
		];
		context = new MessageContext(kinds, 5);
	});
	const createChat = () => {
		const transcript = { attachments: [] as MessageAttachment[] };
		return { transcript, updateFields: (fields: object) => Object.assign(transcript, fields) } as never;
	};
	const listNames = async (query: string) => (await context.listMentions(query)).map(({ name }) => name);
	const listTexts = (chat: never) =>
		(chat as { transcript: { attachments: MessageAttachment[] } }).transcript.attachments.map(
			({ part }) => part.kind === 'file' && part.text,
		);

	it('lists kinds whose name matches, and then what matches of each, without slow and failing ones', async () => {
		assert.deepEqual(await listNames('pro'), ['Problems', 'prose']);
		assert.deepEqual(await listNames(''), ['Problems', 'Terminal selection', 'Files…', 'Symbols…', 'Nodes…', 'a', 'prose', 'b']);
	});

	it('lists one kind after its name and a colon', async () => {
		assert.deepEqual(await listNames('files:b'), ['b']);
		assert.deepEqual(await listNames('problems:b'), []);
	});

	it('completes the name of a kind that has several entries, and refers to the only entry of others', async () => {
		const [problems] = await context.listMentions('problems');
		const [files] = await context.listMentions('files');
		assert.deepEqual([problems?.source, problems?.text, files?.source, files?.text], ['problems:', 'problems', undefined, 'files:']);
	});

	it('is attached once, and read again when the message is sent, except what is fixed', async () => {
		const chat = createChat();
		for (const source of ['files:a', 'files:a', 'terminal:']) {
			await context.attach(chat, source);
		}
		texts.set('a', 'second');
		await context.refreshAttachments(chat);
		assert.deepEqual(listTexts(chat), ['second', 'first']);
	});

	it("isn't sent if it's gone", async () => {
		const chat = createChat();
		await context.attach(chat, 'files:a');
		texts.clear();
		await assert.rejects(context.refreshAttachments(chat), /a is gone/);
		assert.deepEqual(listTexts(chat), ['first']);
		await assert.rejects(context.attach(chat, 'other:a'), { reason: 'attachment' });
	});
});
