import { createFormatter } from '#base/text/formatter.ts';

/** Formats numbers, dates and lists in the editor's language, which the host writes into the page's `<html lang>`. */
export const { formatNumber, formatDate, formatDateTime, formatSize, formatList } = createFormatter(() => document.documentElement.lang);

/** Formats the time of a row, with seconds. The current year is left out. */
export function formatMoment(ms: number): string {
	const date = new Date(ms);
	const isThisYear = date.getFullYear() === new Date().getFullYear();
	return formatDateTime(ms, {
		...(isThisYear ? {} : { year: 'numeric' }),
		day: 'numeric',
		month: 'short',
		hour: 'numeric',
		minute: '2-digit',
		second: '2-digit',
	});
}
