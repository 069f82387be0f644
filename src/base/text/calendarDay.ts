/** Formats the day of a time (Unix milliseconds) in this machine's time zone, for example `2026-01-31`. */
export function formatCalendarDay(ms: number): string {
	const date = new Date(ms);
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
}
