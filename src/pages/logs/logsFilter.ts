import * as z from 'zod';
import { logStatuses } from '#contract/workflows.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { type LogSpan, logSpanKinds, spanOf, spanOfDates } from '#runs/logs/logSpan.ts';

const text = z.string().max(1000);
const figure = z.number().min(0).optional();

/** What the page narrows its list down to, as its fields have it. */
export const logsFilterSchema = z.object({
	range: z.enum(['any', ...logSpanKinds]),
	/** First and last day of the range `dates`, as `2026-01-31`; the last is the first where it is empty. */
	from: text.default(''),
	to: text.default(''),
	status: z.enum(logStatuses).optional(),
	/** In inputs, outputs, errors, errors of nodes, or the user; or a run's ID. */
	text: text.default(''),
	/** In the user. */
	user: text.default(''),
	minSeconds: figure,
	minTokens: figure,
});
export type LogsFilter = z.infer<typeof logsFilterSchema>;

/** Order of the list. */
export const logsSortSchema = z.object({ by: z.enum(['time', 'duration', 'tokens']), descending: z.boolean() });
export type LogsSort = z.infer<typeof logsSortSchema>;

/** What a page begins with. */
export const firstFilter: LogsFilter = { range: 'day', from: '', to: '', text: '', user: '' };
export const firstSort: LogsSort = { by: 'time', descending: true };

/** The span of a filter as it is now; `undefined` for any time, and for dates that are none. */
export function spanOfFilter({ range, from, to }: LogsFilter, now: number): LogSpan | undefined {
	switch (range) {
		case 'any':
			return undefined;
		case 'dates':
			return spanOfDates(`${from} ${to}`);
		default:
			return spanOf(range, now);
	}
}

/** Whether a filter's dates are none: there is nothing to look for then. */
export function hasWrongDates(filter: LogsFilter): boolean {
	return filter.range === 'dates' && spanOfFilter(filter, 0) === undefined;
}

/** Whether a filter asks for what no service filters by. */
export function filtersLocally({ user, minSeconds, minTokens }: LogsFilter): boolean {
	return user.trim() !== '' || minSeconds !== undefined || minTokens !== undefined;
}

/** Whether an entry fits what no service filters by. */
export function fitsLocally({ user, elapsedSeconds, tokens }: LogEntry, filter: LogsFilter): boolean {
	return (
		user.toLowerCase().includes(filter.user.trim().toLowerCase()) &&
		elapsedSeconds >= (filter.minSeconds ?? 0) &&
		tokens >= (filter.minTokens ?? 0)
	);
}

/** Entries, which come newest first, in an order; those that are equal stay newest first. */
export function sorted(entries: readonly LogEntry[], { by, descending }: LogsSort): readonly LogEntry[] {
	if (by === 'time') {
		return descending ? entries : entries.toReversed();
	}
	const figure = (entry: LogEntry) => (by === 'duration' ? entry.elapsedSeconds : entry.tokens);
	return entries.toSorted((a, b) => (descending ? figure(b) - figure(a) : figure(a) - figure(b)));
}
