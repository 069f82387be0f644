import assert from 'node:assert/strict';
import { countLoadedRuns, countRunsOnService } from '#editor/runs/logs/histogram.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { createPlayedRuns, PlayedLogs } from './playedLogs.ts';

const now = Date.parse('2026-01-31T12:00:00Z');
const listSums = (bars: readonly { succeeded: number; failed: number; other: number }[]) => [
	bars.reduce((sum, bar) => sum + bar.succeeded, 0),
	bars.reduce((sum, bar) => sum + bar.failed, 0),
	bars.reduce((sum, bar) => sum + bar.other, 0),
];

describe('the histogram of a log', () => {
	it('counts loaded runs over the time span of the filter or of the runs', () => {
		const entries = [0, 1, 2, 3].map(
			hours => ({ createdAt: now - hours * 3_600_000, status: ['succeeded', 'failed', 'stopped', 'succeeded'][hours] }) as LogEntry,
		);
		const own = countLoadedRuns(entries, undefined, true, now);
		assert.deepEqual([own?.from, own?.to, own?.isPartial, listSums(own?.bars ?? [])], [now - 3 * 3_600_000, now, true, [2, 1, 1]]);
		assert.deepEqual([own?.bars.at(-1)?.succeeded, own?.bars[0]?.succeeded], [1, 1]);
		const day = countLoadedRuns(entries, { kind: 'day', after: now - 86_400_000 }, false, now);
		assert.deepEqual([day?.bars.length, day?.bars.at(-4)?.succeeded, day?.bars.at(-1)?.succeeded], [24, 0, 1]);
		assert.equal(countLoadedRuns([], undefined, false, now), undefined);
	});

	it('lets the service count each run in one bar', async () => {
		const runs = createPlayedRuns(3000, now, place => ({
			status: place % 10 === 0 ? 'failed' : 'succeeded',
			text: place % 2 ? 'odd' : 'even',
		}));
		const played = new PlayedLogs({ a: runs });
		const client = await played.connections.getClient('c');
		const span = { kind: 'hour', after: now - 3_600_000 } as const;
		const owner = { connectionId: 'c', agent: 'a' };
		const { signal } = new AbortController();
		assert.deepEqual(listSums((await countRunsOnService(client, owner, { span }, now + 1, signal)).bars), [2700, 300, 0]);
		assert.deepEqual(listSums((await countRunsOnService(client, owner, { span, keyword: 'odd' }, now + 1, signal)).bars), [1500, 0, 0]);
		assert.deepEqual(listSums((await countRunsOnService(client, owner, { span, status: 'failed' }, now + 1, signal)).bars), [0, 300, 0]);
	});
});
