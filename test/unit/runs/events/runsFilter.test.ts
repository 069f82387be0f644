import assert from 'node:assert/strict';
import type { JournalEntry } from '#runs/events/journalEntry.ts';
import { hasRunText } from '#runs/history/runTexts.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { ConnectionsUnderTest } from '../../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../../support/editor/treeUnderTest.ts';
import { PlayedService } from '../../../support/services/playedService.ts';

describe('the filter text of runs', () => {
	const record = { key: 'k', runId: 'id-1', user: 'ana', file: 'file:///runs/first%20try.run.json', error: 'it broke' } as RunRecord;
	const entries = [
		{ at: 0, request: { model: 'hidden', inputs: { text: 'line one\n“Zoë”', deep: [{ city: 'Oslo' }] } } },
		{ at: 1, event: { event: 'node_finished', data: { title: 'Fetch', error: 'timeout after 30 s', inputs: { secret: 'inner' } } } },
		{ at: 2, event: { event: 'workflow_finished', data: { status: 'succeeded', outputs: { answer: 'Forty-two' }, error: null } } },
	] as unknown as JournalEntry[];
	async function* iterateJournal() {
		yield* entries;
	}

	it('matches inputs, outputs, errors, node errors, file, user and ID in any case', async () => {
		for (const text of ['zoë', 'one\n“', 'oslo', 'TIMEOUT', 'forty', 'it broke', 'first try', 'Ana', 'id-1', '  oslo ']) {
			assert.ok(await hasRunText(record, iterateJournal(), text), text);
		}
	});

	it("doesn't match other fields", async () => {
		for (const text of ['hidden', 'inner', 'node_finished', 'Fetch', 'file:']) {
			assert.ok(!(await hasRunText(record, iterateJournal(), text)), text);
		}
	});
});

describe('the filtered runs of the tree', () => {
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	let tree: TreeUnderTest;
	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
		tree = new TreeUnderTest(window);
		await window.addConnection({ baseUrl: service.url, user: 'ana' }, 'key');
	});
	afterEach(async () => {
		tree.dispose();
		await window.dispose();
		await service.stop();
	});

	it('are the matching runs, and active runs until they end', async () => {
		const of = { connectionId: 'played', agent: 'echo' };
		tree.runs.set({ ...of, key: 'slow', status: 'failed', error: 'timeout' });
		tree.runs.set({ ...of, key: 'wrong', status: 'failed', error: 'wrong key' });
		tree.runs.set({ ...of, key: 'live', status: 'running' });
		const runs = await tree.findRow('Played', 'echo', 'Runs');
		const node = runs.node as unknown as { setFilter(text: string): void };
		const listShownRuns = async () => (await tree.readRows('Played', 'echo', 'Runs')).map(row => row.node.id.split('/').at(-1));
		node.setFilter(' timeout ');
		assert.deepEqual(await listShownRuns(), ['live', 'slow']);
		const filtered = await tree.findRow('Played', 'echo', 'Runs');
		assert.deepEqual([filtered.context, filtered.description], ['runs.filtered', "'timeout' · 1 running"]);
		tree.runs.set({ key: 'live', status: 'succeeded' });
		assert.deepEqual(await listShownRuns(), ['slow']);
		node.setFilter('nothing like it');
		assert.deepEqual(
			(await tree.readRows('Played', 'echo', 'Runs')).map(({ label }) => label),
			['No matching runs'],
		);
		node.setFilter('');
		assert.equal((await listShownRuns()).length, 3);
	});
});
