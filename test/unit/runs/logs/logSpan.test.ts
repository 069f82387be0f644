import assert from 'node:assert/strict';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { RunLog } from '#editor/explorer/lists/runLog.ts';
import { createLogSpan, isWithinSpan, parseDateSpan } from '#runs/logs/logSpan.ts';

const parseTime = (text: string): number => new Date(text).getTime();
const now = parseTime('2026-03-29T15:30:00');

describe('date ranges of a log', () => {
	it('follow the calendar, even on the day of a clock change', () => {
		const yesterday = createLogSpan('yesterday', now);
		assert.deepEqual([yesterday.after, yesterday.before], [parseTime('2026-03-28T00:00:00'), parseTime('2026-03-29T00:00:00') - 1]);
		assert.equal(createLogSpan('today', now).after, parseTime('2026-03-29T00:00:00'));
		assert.equal(createLogSpan('week', now).after, parseTime('2026-03-23T00:00:00'));
		assert.equal(createLogSpan('hour', now).after, now - 3_600_000);
		assert.equal(createLogSpan('day', now).before, undefined);
	});

	it('cover whole days if typed', () => {
		assert.deepEqual(parseDateSpan(' 2026-01-31 '), {
			kind: 'dates',
			after: parseTime('2026-01-31T00:00:00'),
			before: parseTime('2026-02-01T00:00:00') - 1,
		});
		assert.equal(parseDateSpan('2026-01-30 to 2026-01-31')?.after, parseTime('2026-01-30T00:00:00'));
		for (const wrong of [
			'',
			'yesterday',
			'2026-02-30',
			'2026-1-3',
			'2026-01-31 2026-01-30',
			'2026-01-01 2026-01-02 2026-01-03',
			'2026-01-31 7',
		]) {
			assert.equal(parseDateSpan(wrong), undefined, wrong);
		}
	});
});

describe('a log filtered by a date range', () => {
	const createDays = (page: number) => Array.from({ length: 50 }, (_, index) => now / 1000 - 3600 * (page * 50 + index));
	const getLog = (answers: (query: { page: number }) => { data: number[]; has_more: boolean; total: number }) => {
		const queries: Record<string, unknown>[] = [];
		const client = {
			listLogs: async (query: { page: number }) => {
				queries.push({ ...query });
				const { data, ...rest } = answers(query);
				return {
					...rest,
					data: data.map(created_at => ({ id: String(created_at), workflow_run: { id: '', status: 'succeeded' }, created_at })),
				};
			},
		};
		const connections = { getClient: async () => client, toProblem: (_id: string, error: unknown) => error } as unknown as Connections;
		const log = new RunLog(connections, 'c', 'a', () => {});
		log.setFilter({ span: createLogSpan('yesterday', now) });
		return { log, queries };
	};

	it('sends the range to the service, and uses its count if the service filters', async () => {
		const span = createLogSpan('yesterday', now);
		const { log, queries } = getLog(() => ({ data: [Math.floor(span.after / 1000), span.after / 1000 + 60], has_more: false, total: 2 }));
		await log.pages.start();
		assert.deepEqual([log.pages.rows.length, log.pages.total], [2, 2]);
		assert.deepEqual(queries[0]?.['created_at__after'], new Date(span.after).toISOString());
	});

	it("filters the runs of a service that can't, and stops at older ones", async () => {
		const { log, queries } = getLog(({ page }) => ({ data: createDays(page - 1), has_more: true, total: 100_000 }));
		await log.pages.start();
		assert.ok(
			log.pages.rows.length > 0 && log.pages.rows.every(({ createdAt }) => isWithinSpan(createLogSpan('yesterday', now), createdAt ?? 0)),
		);
		assert.equal(log.pages.total, undefined);
		assert.deepEqual([log.pages.hasMore, log.filtersHere], [false, true]);
		assert.equal(queries.length, 1);
	});
});
