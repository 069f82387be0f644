import assert from 'node:assert/strict';
import { getRunOfReply } from '#editor/chat/replies/runOfReply.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import type { ReplyFacts } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

describe('the run that a reply came of', () => {
	const connections = { list: () => [{ id: 'c1', name: 'Gateway' }] } as unknown as Connections;
	const reply: ReplyFacts = { status: 'done', endpoint: 'agent', connection: 'Gateway', model: 'support', runId: 'r1' };

	it('is named by the connection, the agent and its ID', () => {
		assert.deepEqual(getRunOfReply({ reply }, connections, words), { connectionId: 'c1', agentName: 'support', runId: 'r1' });
	});

	it('is none of a model’s reply, and none of a turn that is gone', () => {
		const { runId: _, ...ofModel } = reply;
		assert.equal(getRunOfReply({ reply: ofModel }, connections, words), undefined);
		assert.equal(getRunOfReply(undefined, connections, words), undefined);
	});

	it('is not looked for where its connection is gone', () => {
		assert.throws(
			() => getRunOfReply({ reply: { ...reply, connection: 'Other' } }, connections, words),
			/Connection 'Other' of this reply no longer exists/,
		);
	});
});
