/** The day of a moment by the calendar of this machine, as `2026-01-31`. Takes Unix milliseconds. */
export function calendarDay(ms: number): string {
	const date = new Date(ms);
	return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
}
