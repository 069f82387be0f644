import assert from 'node:assert/strict';
import { createRunAttachment } from '#editor/chat/attachments/runAttachment.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import type { RunRecord } from '#runs/runTypes.ts';

describe('a run attached to a chat', () => {
	const record = { key: 'k', connectionId: 'c', agent: 'sort', runId: 'r', status: 'failed' } as RunRecord;
	const getRun = async () => ({ inputs: { token: 'open sesame' }, outputs: { said: 'open sesame' } });
	const connections = { getClient: async () => ({ getRun }) } as unknown as Connections;
	const attach = async (inputs: unknown) =>
		JSON.stringify(await createRunAttachment(record, { inputs, nodes: [], more: 0 } as unknown as RunStory, connections));

	it('has the values that are missing here from the service, unless secrets are masked here', async () => {
		assert.match(await attach({ text: 'tea' }), /open sesame/);
		for (const place of ['input:token:password', 'env:TOKEN']) {
			assert.doesNotMatch(await attach({ token: `Bearer $\{${place}}` }), /open sesame/);
		}
	});
});
