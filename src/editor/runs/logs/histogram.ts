import { runConcurrently } from '#base/timing/runConcurrently.ts';
import type { ServiceClient } from '#client/client.ts';
import type { LogStatus } from '#contract/workflows.ts';
import type { Histogram } from '#pages/logs/logsMessages.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { type LogFilter, type LogOwner, toLogQuery } from './logPage.ts';

const barCount = 24;
/** Maximum number of concurrent requests. */
const atOnce = 4;

/**
 * Counts the loaded runs over time, within the filter's time span or else the span of the runs. Returns `undefined` if no run has a start
 * time.
 */
export function countLoadedRuns(
	entries: readonly LogEntry[],
	span: LogFilter['span'],
	isPartial: boolean,
	now: number,
): Histogram | undefined {
	let [oldest, newest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const { createdAt } of entries) {
		oldest = Math.min(oldest, createdAt ?? oldest);
		newest = Math.max(newest, createdAt ?? newest);
	}
	if (oldest > newest) {
		return undefined;
	}
	const from = span?.after ?? oldest;
	const to = Math.max(span ? (span.before ?? now) : newest, from + 1);
	const bars = Array.from({ length: barCount }, () => ({ succeeded: 0, failed: 0, other: 0 }));
	for (const { createdAt, status } of entries) {
		const bar = createdAt === undefined ? undefined : bars[findBar(createdAt, from, to)];
		if (bar) {
			bar[status === 'succeeded' || status === 'failed' ? status : 'other']++;
		}
	}
	return { from, to, bars, isPartial };
}

/** Lets the service count its runs over time, with one request for each bar and each status that the filter allows. */
export async function countRunsOnService(
	client: Pick<ServiceClient, 'listLogs'>,
	owner: LogOwner,
	filter: LogFilter & { readonly span: NonNullable<LogFilter['span']> },
	now: number,
	signal: AbortSignal,
): Promise<Histogram> {
	const { after: from, before: to = now } = filter.span;
	const width = (to - from) / barCount;
	const bars = Array.from({ length: barCount }, () => ({ succeeded: 0, failed: 0, other: 0 }));
	const statuses = filter.status ? [filter.status] : (['succeeded', 'failed', 'stopped'] satisfies LogStatus[]);
	const questions = bars.flatMap((bar, place) => statuses.map(status => ({ bar, place, status })));
	await runConcurrently(questions, atOnce, signal, async ({ bar, place, status }) => {
		// both ends are inclusive, so the next bar starts a millisecond later
		const part = { ...filter.span, after: Math.ceil(from + place * width), before: Math.ceil(from + (place + 1) * width) - 1 };
		const answer = await client.listLogs({ ...toLogQuery(owner, { ...filter, span: part, status }), page: 1, limit: 1 }, { signal });
		bar[status === 'succeeded' || status === 'failed' ? status : 'other'] += answer.total > 0 ? answer.total : 0;
	});
	return { from, to, bars, isPartial: false };
}

function findBar(at: number, from: number, to: number): number {
	return Math.max(0, Math.min(barCount - 1, Math.floor(((at - from) / (to - from)) * barCount)));
}
