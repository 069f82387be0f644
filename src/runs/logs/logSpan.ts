import type { Localization } from '#base/text/localization.ts';

/** A span of time that a log is narrowed down to, in Unix milliseconds; both ends count. */
export interface LogSpan {
	readonly kind: LogSpanKind;
	readonly after: number;
	/** Absent: up to now. */
	readonly before?: number;
}

/** The spans that are offered; `dates` is one of the user's own. */
export const logSpanKinds = ['hour', 'day', 'today', 'yesterday', 'week', 'dates'] as const;
type LogSpanKind = (typeof logSpanKinds)[number];

const hourMs = 3_600_000;

/** One of the offered spans, as it is at a moment, by the calendar of this machine. */
export function spanOf(kind: Exclude<LogSpanKind, 'dates'>, now: number): LogSpan {
	switch (kind) {
		case 'hour':
			return { kind, after: now - hourMs };
		case 'day':
			return { kind, after: now - 24 * hourMs };
		case 'today':
			return { kind, after: midnight(now, 0) };
		case 'yesterday':
			return { kind, after: midnight(now, -1), before: midnight(now, 0) - 1 };
		case 'week':
			return { kind, after: midnight(now, -6) };
	}
}

/**
 * A span from what a user types: a date (`2026-01-31`), or two with anything between them, whole days by the calendar of this machine; `undefined` for
 * anything else.
 */
export function spanOfDates(text: string): LogSpan | undefined {
	const days = [...text.matchAll(/(\d{4})-(\d{2})-(\d{2})/g)].map(
		([, year, month, day]) => [Number(year), Number(month), Number(day)] as const,
	);
	const rest = text.replaceAll(/\d{4}-\d{2}-\d{2}/g, '');
	const [first, last = first] = days;
	if (!first || !last || days.length > 2 || /\d/.test(rest) || !days.every(isDate)) {
		return undefined;
	}
	const [from, to] = [startOf(first), startOf([last[0], last[1], last[2] + 1]) - 1];
	return from <= to ? { kind: 'dates', after: from, before: to } : undefined;
}

/** Whether a moment lies in a span. */
export function isWithin({ after, before = Number.POSITIVE_INFINITY }: LogSpan, at: number): boolean {
	return at >= after && at <= before;
}

type Day = readonly [year: number, month: number, day: number];

function startOf([year, month, day]: Day): number {
	return new Date(year, month - 1, day).getTime();
}

function isDate([year, month, day]: Day): boolean {
	const date = new Date(year, month - 1, day);
	return date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
}

/** Midnight at the beginning of the day that is so many days from now. */
function midnight(now: number, days: number): number {
	const date = new Date(now);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

/** A kind of span as it is offered. */
export function spanKindLabel(l10n: Localization, kind: LogSpanKind): string {
	switch (kind) {
		case 'hour':
			return l10n.t('Last hour');
		case 'day':
			return l10n.t('Last 24 hours');
		case 'today':
			return l10n.t('Today');
		case 'yesterday':
			return l10n.t('Yesterday');
		case 'week':
			return l10n.t('Last 7 days');
		case 'dates':
			return l10n.t('Dates…');
	}
}
