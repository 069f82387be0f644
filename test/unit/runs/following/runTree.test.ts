import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import { addEntryCosts, type RunCosts } from '#runs/events/runCosts.ts';
import { findParentRun, listRunTree } from '#runs/following/runTree.ts';
import type { RunRecord } from '#runs/runTypes.ts';

function createRecord(id: string, parent?: string): RunRecord {
	return {
		key: `key ${id}`,
		connectionId: 'c',
		agent: 'a',
		runId: id,
		status: 'succeeded',
		...(parent !== undefined && { parent: { run: parent, node: 'n', title: 'N', changes: [] } }),
	} as unknown as RunRecord;
}

/** Lists these runs, given oldest first, as a history does: newest first. */
const createRuns = (...records: readonly RunRecord[]) => ({ list: () => records.toReversed() });

describe('the tree of forks', () => {
	const [root, first, second, grandchild, other] = [
		createRecord('root'),
		createRecord('first', 'root'),
		createRecord('second', 'root'),
		createRecord('grandchild', 'first'),
		createRecord('other'),
	] as const;

	it('lists each run after its parent, from any of its runs', () => {
		const runs = createRuns(root, first, second, grandchild, other);
		for (const record of [root, first, second, grandchild]) {
			assert.deepEqual(
				listRunTree(record, runs).map(({ record: { runId }, depth }) => [runId, depth]),
				[
					['root', 0],
					['first', 1],
					['grandchild', 2],
					['second', 1],
				],
			);
		}
		assert.deepEqual(listRunTree(other, runs), []);
		assert.equal(findParentRun(grandchild, runs), first);
		assert.equal(findParentRun(root, runs), undefined);
	});

	it('starts at a fork whose parent was removed from the history, and ends with runs that name each other', () => {
		assert.deepEqual(
			listRunTree(grandchild, createRuns(first, grandchild)).map(({ record }) => record.runId),
			['first', 'grandchild'],
		);
		assert.deepEqual(listRunTree(grandchild, createRuns(grandchild)).length, 1);
		assert.equal(findParentRun(grandchild, createRuns(grandchild)), undefined);
		const [a, b] = [createRecord('a', 'b'), createRecord('b', 'a')];
		assert.equal(listRunTree(a, createRuns(a, b)).length, 2);
	});
});

describe('the costs of a run', () => {
	it('count reused replies and results as saved', () => {
		const events = [
			{ event: 'node_finished', data: { execution_metadata: { total_price: '0.3', currency: 'EUR' } } },
			{ event: 'node_finished', data: { replayed: true, saved_price: '0.1', execution_metadata: { total_price: '0.3', currency: 'EUR' } } },
			{ event: 'node_finished', data: { recorded: true, saved_price: '0.5', execution_metadata: { total_price: '0' } } },
			{ event: 'node_finished', data: { execution_metadata: { total_price: '0' } } },
			{ event: 'node_started', data: { execution_metadata: { total_price: '9' } } },
		] as unknown as WorkflowEvent[];
		const costs = events.reduce<RunCosts | undefined>((sum, event) => addEntryCosts(sum, { at: 1, event }), undefined);
		assert.deepEqual(costs, { paid: 0.5, saved: 0.6, currency: 'EUR' });
	});
});
