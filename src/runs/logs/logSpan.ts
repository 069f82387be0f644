import type { Localization } from '#base/text/localization.ts';

/** A time range for a log, in Unix milliseconds, both ends included. */
export interface LogSpan {
	readonly kind: LogSpanKind;
	readonly after: number;
	/** End of the range; absent if it ends now. */
	readonly before?: number;
}

/** The ranges offered to the user; `dates` is a custom one. */
export const logSpanKinds = ['hour', 'day', 'today', 'yesterday', 'week', 'dates'] as const;
type LogSpanKind = (typeof logSpanKinds)[number];

const hourMs = 3_600_000;

/** Returns one of the offered ranges for the current time, in this machine's time zone. */
export function createLogSpan(kind: Exclude<LogSpanKind, 'dates'>, now: number): LogSpan {
	switch (kind) {
		case 'hour':
			return { kind, after: now - hourMs };
		case 'day':
			return { kind, after: now - 24 * hourMs };
		case 'today':
			return { kind, after: getMidnight(now, 0) };
		case 'yesterday':
			return { kind, after: getMidnight(now, -1), before: getMidnight(now, 0) - 1 };
		case 'week':
			return { kind, after: getMidnight(now, -6) };
	}
}

/**
 * Parses a date range as typed: one date (`2026-01-31`) or two with any separator, as whole days in this machine's time zone; `undefined`
 * if invalid.
 */
export function parseDateSpan(text: string): LogSpan | undefined {
	const days = [...text.matchAll(/(\d{4})-(\d{2})-(\d{2})/g)].map(
		([, year, month, day]) => [Number(year), Number(month), Number(day)] as const,
	);
	const rest = text.replaceAll(/\d{4}-\d{2}-\d{2}/g, '');
	const [first, last = first] = days;
	if (!first || !last || days.length > 2 || /\d/.test(rest) || !days.every(isValidDate)) {
		return undefined;
	}
	const [from, to] = [getDayStart(first), getDayStart([last[0], last[1], last[2] + 1]) - 1];
	return from <= to ? { kind: 'dates', after: from, before: to } : undefined;
}

/** True if a time is in a range. */
export function isWithinSpan({ after, before = Number.POSITIVE_INFINITY }: LogSpan, at: number): boolean {
	return at >= after && at <= before;
}

type Day = readonly [year: number, month: number, day: number];

function getDayStart([year, month, day]: Day): number {
	return new Date(year, month - 1, day).getTime();
}

function isValidDate([year, month, day]: Day): boolean {
	const date = new Date(year, month - 1, day);
	return date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
}

/** Returns midnight at the start of the day that is `days` days from now. */
function getMidnight(now: number, days: number): number {
	const date = new Date(now);
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

export function getSpanKindLabel(l10n: Localization, kind: LogSpanKind): string {
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
