import assert from 'node:assert/strict';
import { findCriticalRows } from '#runs/events/criticalPath.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';

const createRow = (id: string, start: number, end: number, more: Partial<TimelineRow> = {}): TimelineRow => ({
	id,
	nodeId: id,
	kind: 'code',
	title: id,
	status: 'succeeded',
	start,
	end,
	...more,
});

describe('the critical path', () => {
	it('goes through the slower of two parallel branches', () => {
		const rows = [createRow('start', 0, 1), createRow('fast', 1, 10), createRow('slow', 1, 90), createRow('end', 90, 95)];
		assert.deepEqual([...findCriticalRows(rows)], ['end', 'slow', 'start']);
	});

	it('follows the predecessor in the events', () => {
		const rows = [createRow('a', 0, 10), createRow('b', 0, 19), createRow('end', 20, 30, { predecessor: 'a' })];
		assert.deepEqual([...findCriticalRows(rows)], ['end', 'a']);
	});

	it('includes the nodes of containers: all sequential iterations, or the last of parallel ones', () => {
		const createInnerRow = (id: string, start: number, end: number, parent: string, round: number) =>
			createRow(id, start, end, { parent, round });
		const rows = [
			createRow('inRow', 0, 20),
			createInnerRow('r1', 0, 10, 'inRow', 1),
			createInnerRow('r2', 10, 20, 'inRow', 2),
			createRow('atOnce', 20, 60),
			createInnerRow('p1', 20, 60, 'atOnce', 1),
			createInnerRow('p2', 20, 30, 'atOnce', 2),
		];
		assert.deepEqual([...findCriticalRows(rows)].sort(), ['atOnce', 'inRow', 'p1', 'r1', 'r2']);
	});

	it('omits notes and unfinished nodes', () => {
		const { nodeId: _, ...note } = createRow('note', 0, 99);
		const { end: __, ...open } = createRow('open', 0, 99);
		assert.deepEqual([...findCriticalRows([note, open])], []);
	});
});
