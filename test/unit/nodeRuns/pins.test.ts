import assert from 'node:assert/strict';
import { recordedMocks } from '../../../src/nodeRuns/pins.ts';
import type { JournalEntry } from '../../../src/runEvents/journalEntry.ts';

async function* journal(...ends: object[]): AsyncGenerator<JournalEntry> {
	yield { at: 0, note: 'begins' };
	for (const data of ends) {
		yield { at: 1, event: { event: 'node_finished', task_id: 't', workflow_run_id: 'r', data } } as unknown as JournalEntry;
	}
}

describe('outputs that are pinned', () => {
	it('are those of each time that the node ran, in that order, with its failures', async () => {
		const end = (node_id: string, more: object) => ({
			id: '1',
			node_id,
			node_type: 'code',
			title: 'T',
			index: 1,
			status: 'succeeded',
			...more,
		});
		const mocks = await recordedMocks(
			journal(
				end('a', { outputs: { n: 1 } }),
				end('b', { outputs: { n: 2 } }),
				end('a', { outputs: null, status: 'failed', error: 'no' }),
				end('a', { outputs: { n: 3 } }),
			),
			'a',
		);
		assert.deepEqual(mocks, [{ outputs: { n: 1 } }, { error: 'no' }, { outputs: { n: 3 } }]);
	});

	it('are none of a node that did not run', async () => {
		assert.deepEqual(await recordedMocks(journal(), 'a'), []);
	});
});
