import assert from 'node:assert/strict';
import { getRunOfReply } from '#editor/chat/replies/runOfReply.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import type { ReplyFacts } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

describe('the run of a reply', () => {
	const connections = { list: () => [{ id: 'c1', name: 'Gateway' }] } as unknown as Connections;
	const reply: ReplyFacts = { status: 'done', endpoint: 'agent', connection: 'Gateway', model: 'support', runId: 'r1' };

	it('has the connection, the agent and its ID', () => {
		assert.deepEqual(getRunOfReply({ reply }, connections, words), { connectionId: 'c1', agentName: 'support', runId: 'r1' });
	});

	it('does not exist for replies of models and for unknown turns', () => {
		const { runId: _, ...ofModel } = reply;
		assert.equal(getRunOfReply({ reply: ofModel }, connections, words), undefined);
		assert.equal(getRunOfReply(undefined, connections, words), undefined);
	});

	it('is on the same connection after that was renamed and another has its name', () => {
		const renamed = [
			{ id: 'c2', name: 'Gateway' },
			{ id: 'c1', name: 'Gateway of the team' },
		];
		const found = getRunOfReply({ reply: { ...reply, connectionId: 'c1' } }, { list: () => renamed } as unknown as Connections, words);
		assert.equal(found?.connectionId, 'c1');
	});

	it('throws if the connection was removed', () => {
		assert.throws(
			() => getRunOfReply({ reply: { ...reply, connection: 'Other' } }, connections, words),
			/Connection 'Other' of this reply no longer exists/,
		);
	});
});
