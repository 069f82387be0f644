import assert from 'node:assert/strict';
import { toShownTreeRun } from '#editor/runs/inspector/treeRuns.ts';
import type { RunRecord } from '#runs/runTypes.ts';

describe('a run in the run tree', () => {
	const describeChanges = (...changes: { selector: string[]; value: unknown }[]) => {
		const parent = { run: 'r', node: 'reply', title: 'The reply', changes };
		return toShownTreeRun({ record: { key: 'k', status: 'succeeded', parent } as unknown as RunRecord, depth: 1 }).fork;
	};

	it('names each value that the fork changed, also if there is only one', () => {
		const urgent = { selector: ['facts', 'urgent'], value: true };
		assert.deepEqual(describeChanges(urgent), { node: 'The reply', changes: 'facts.urgent: true' });
		assert.equal(describeChanges(urgent, { selector: ['inputs', 'name'], value: 'Bo' })?.changes, 'facts.urgent: true · inputs.name: Bo');
		assert.equal(describeChanges({ selector: ['a', 'b'], value: null })?.changes, 'a.b: null');
		assert.equal(describeChanges()?.changes, '');
	});
});
