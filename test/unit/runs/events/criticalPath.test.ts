import assert from 'node:assert/strict';
import { markCriticalPath } from '#runs/events/criticalPath.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';

const row = (id: string, start: number, end: number, more: Partial<TimelineRow> = {}): TimelineRow => ({
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
		const rows = [row('start', 0, 1), row('fast', 1, 10), row('slow', 1, 90), row('end', 90, 95)];
		assert.deepEqual([...markCriticalPath(rows)], ['end', 'slow', 'start']);
	});

	it('follows the predecessor that the service names', () => {
		const rows = [row('a', 0, 10), row('b', 0, 19), row('end', 20, 30, { predecessor: 'a' })];
		assert.deepEqual([...markCriticalPath(rows)], ['end', 'a']);
	});

	it('goes on inside of containers: all rounds in a row, the last of parallel ones', () => {
		const inner = (id: string, start: number, end: number, parent: string, round: number) => row(id, start, end, { parent, round });
		const rows = [
			row('inRow', 0, 20),
			inner('r1', 0, 10, 'inRow', 1),
			inner('r2', 10, 20, 'inRow', 2),
			row('atOnce', 20, 60),
			inner('p1', 20, 60, 'atOnce', 1),
			inner('p2', 20, 30, 'atOnce', 2),
		];
		assert.deepEqual([...markCriticalPath(rows)].sort(), ['atOnce', 'inRow', 'p1', 'r1', 'r2']);
	});

	it('leaves out notes and what has not ended', () => {
		const { nodeId: _, ...note } = row('note', 0, 99);
		const { end: __, ...open } = row('open', 0, 99);
		assert.deepEqual([...markCriticalPath([note, open])], []);
	});
});
