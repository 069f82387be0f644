import assert from 'node:assert/strict';
import { autoNameConversation, deleteConversations, renameConversation } from '#editor/explorer/conversations/conversationActions.ts';
import type { ConversationReference } from '#editor/explorer/conversations/conversationTypes.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { ConnectionsUnderTest } from '../../../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../../../support/editor/treeUnderTest.ts';
import { PlayedService } from '../../../../support/services/playedService.ts';

describe('commands on conversations', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	let tree: TreeUnderTest;
	const first: ConversationReference = { connectionId: 'played', agentName: 'echo', conversationId: 'c1', name: 'First talk' };

	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
		tree = new TreeUnderTest(window);
		await window.addConnection({ baseUrl: service.url, user: 'ana' }, 'key');
		await tree.readRows('Played', 'echo', 'Conversations');
	});
	afterEach(async () => {
		tree.dispose();
		await window.dispose();
		await service.stop();
	});
	const createParts = () => ({
		connections: window.registry,
		onChange: ({ of, conversation }: Parameters<Parameters<typeof renameConversation>[0]['onChange']>[0]) =>
			tree.tree.onConversationChange(of, conversation),
	});
	const listNames = async () => (await tree.readRows('Played', 'echo', 'Conversations')).map(({ label }) => label);

	it('rename a conversation and update its row without loading the list again', async () => {
		await answerDialogs({ texts: ['  Better name '] }, () => renameConversation(createParts(), first));
		const sent = service.requests.length;
		assert.deepEqual(await listNames(), ['Better name']);
		assert.equal(service.requests.length, sent);
	});

	it('refuse an empty name', async () => {
		const shown = await answerDialogs({ texts: ['  '] }, () => renameConversation(createParts(), first));
		assert.deepEqual(shown.refusals, ['Enter a name.']);
		assert.ok(!service.requests.some(request => request.startsWith('POST')));
	});

	it('let the service generate a name', async () => {
		await autoNameConversation(createParts(), first);
		assert.deepEqual(await listNames(), ['Made up']);
	});

	it("delete a conversation after a confirmation that says it can't be undone", async () => {
		const unsure = await answerDialogs({}, () => deleteConversations(createParts(), [first]));
		assert.deepEqual(unsure.warnings, ["Delete conversation 'First talk' and all its messages?"]);
		assert.deepEqual(await listNames(), ['First talk']);
		await answerDialogs({ button: 'Delete' }, () => deleteConversations(createParts(), [first]));
		assert.deepEqual(await listNames(), ['No conversations yet']);
		assert.deepEqual(service.conversations, []);
	});

	it('delete all selected conversations, even if one is already gone', async () => {
		service.conversations.push({ id: 'c2', name: 'Second' });
		const selected = [{ ...first, conversationId: 'gone' }, first, { ...first, conversationId: 'c2' }];
		const shown = await answerDialogs({ button: 'Delete' }, () => deleteConversations(createParts(), selected));
		assert.deepEqual(shown.warnings, ['Delete 3 conversations and all their messages?']);
		assert.deepEqual(service.conversations, []);
	});

	it('keep the row of a conversation that the service refuses to delete', async () => {
		service.fault = { status: 403, code: 'forbidden' };
		await answerDialogs({ texts: ['New'] }, () =>
			assert.rejects(renameConversation(createParts(), first), { reason: 'auth', message: /'Played' doesn't allow/ }),
		);
		assert.deepEqual(await listNames(), ['First talk']);
	});
});
