import assert from 'node:assert/strict';
import { RowFollower } from '#pages/inspector/rowFollower.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';

const createRow = (id: string, status: string, more: Partial<TimelineRow> = {}) => ({ id, nodeId: id, status, ...more }) as TimelineRow;

describe('the selected row of a run that nobody has selected a row of', () => {
	let selected: string[];
	let follower: RowFollower;
	beforeEach(() => {
		selected = [];
		follower = new RowFollower(id => {
			selected.push(id);
			follower.onSelected();
		});
	});

	it('is the one that a moment changed, also if the user has selected one in the present', () => {
		follower.startRun(undefined);
		selected = [];
		follower.onSelected();
		follower.followMoment('a');
		assert.deepEqual(selected, []);
		follower.startMoments();
		follower.followMoment('a');
		follower.followMoment(undefined);
		follower.followMoment('b');
		assert.deepEqual(selected, ['a', 'b']);
		// the user selects a row
		follower.onSelected();
		follower.followMoment('c');
		assert.deepEqual(selected, ['a', 'b']);
	});

	it('is the one that runs, and the last one on the critical path at the end', () => {
		follower.startRun(undefined);
		follower.followRows([createRow('start', 'running')], true);
		follower.followRows([createRow('start', 'succeeded'), createRow('write', 'running')], true);
		follower.followRows([createRow('start', 'succeeded'), createRow('write', 'succeeded')], true);
		follower.followRows(
			[
				createRow('start', 'succeeded', { critical: true }),
				createRow('write', 'succeeded', { critical: true }),
				createRow('log', 'succeeded'),
			],
			false,
		);
		assert.deepEqual(selected, ['start', 'write']);
	});

	it('is the node that was shown of the run before, unless another one fails', () => {
		follower.startRun('write');
		follower.followRows([createRow('start', 'running')], true);
		follower.followRows([createRow('start', 'succeeded'), createRow('write', 'running')], true);
		follower.followRows([createRow('start', 'succeeded'), createRow('write', 'succeeded'), createRow('end', 'running')], true);
		assert.deepEqual(selected, ['start', 'write']);
		follower.followRows([createRow('write', 'succeeded'), createRow('end', 'failed')], false);
		assert.equal(selected.at(-1), 'end');
	});

	it("isn't changed once the user has selected one, until the next run", () => {
		follower.followRows([createRow('start', 'running')], true);
		follower.onSelected();
		follower.followRows([createRow('start', 'succeeded'), createRow('write', 'failed')], false);
		assert.deepEqual(selected, ['start']);
		follower.startRun(undefined);
		follower.followRows([createRow('again', 'running')], true);
		assert.deepEqual(selected, ['start', 'again']);
	});
});
