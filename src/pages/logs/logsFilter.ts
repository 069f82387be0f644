import * as z from 'zod';
import { logStatuses } from '#contract/workflows.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { createLogSpan, type LogSpan, logSpanKinds, parseDateSpan } from '#runs/logs/logSpan.ts';

const text = z.string().max(1000);
const minimum = z.number().min(0).optional();

/** The filter as entered in the page's fields. */
export const logsFilterSchema = z.object({
	range: z.enum(['any', ...logSpanKinds]),
	/** First and last day of the range `dates`, for example `2026-01-31`. An empty last day means the first day. */
	from: text.default(''),
	to: text.default(''),
	status: z.enum(logStatuses).optional(),
	/** Text to find in inputs, outputs, errors, node errors or the user, or a run ID. */
	text: text.default(''),
	/** Text to find in the user ID. */
	user: text.default(''),
	minSeconds: minimum,
	minTokens: minimum,
});
export type LogsFilter = z.infer<typeof logsFilterSchema>;

export const logsSortSchema = z.object({ by: z.enum(['time', 'duration', 'tokens']), descending: z.boolean() });
export type LogsSort = z.infer<typeof logsSortSchema>;

export const firstFilter: LogsFilter = { range: 'day', from: '', to: '', text: '', user: '' };
export const firstSort: LogsSort = { by: 'time', descending: true };

/** Returns the time span of a filter, relative to `now`; undefined for any time and for invalid dates. */
export function getFilterSpan({ range, from, to }: LogsFilter, now: number): LogSpan | undefined {
	switch (range) {
		case 'any':
			return undefined;
		case 'dates':
			return parseDateSpan(`${from} ${to}`);
		default:
			return createLogSpan(range, now);
	}
}

/** True if the filter's dates are invalid, so that it can't match anything. */
export function hasInvalidDates(filter: LogsFilter): boolean {
	return filter.range === 'dates' && getFilterSpan(filter, 0) === undefined;
}

/** True if the filter has criteria that services don't support. */
export function hasLocalCriteria({ user, minSeconds, minTokens }: LogsFilter): boolean {
	return user.trim() !== '' || minSeconds !== undefined || minTokens !== undefined;
}

/** True if an entry matches the criteria that services don't support. */
export function matchesLocalCriteria({ user, elapsedSeconds, tokens }: LogEntry, filter: LogsFilter): boolean {
	return (
		user.toLowerCase().includes(filter.user.trim().toLowerCase()) &&
		elapsedSeconds >= (filter.minSeconds ?? 0) &&
		tokens >= (filter.minTokens ?? 0)
	);
}

/** Sorts entries, given newest first. Equal entries stay newest first. */
export function sortLogs(entries: readonly LogEntry[], { by, descending }: LogsSort): readonly LogEntry[] {
	if (by === 'time') {
		return descending ? entries : entries.toReversed();
	}
	const getSortValue = (entry: LogEntry) => (by === 'duration' ? entry.elapsedSeconds : entry.tokens);
	return entries.toSorted((a, b) => (descending ? getSortValue(b) - getSortValue(a) : getSortValue(a) - getSortValue(b)));
}
