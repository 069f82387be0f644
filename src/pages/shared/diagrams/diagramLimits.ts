/** Limits for the text of one diagram: layout takes more than linear time, and can't be stopped. */
const longest = 8000;
const mostStatements = 150;
/** Of lists in one statement. */
const mostItems = 500;
/** Maximum number of edges of a flowchart, because one statement can have many. */
export const mostEdges = 150;

/** Of all tasks of a Gantt chart that excludes some: each one is looked at, which takes about 20 microseconds. */
const mostDays = 50_000;
const daysPerUnit: Readonly<Record<string, number>> = { d: 1, w: 7, M: 31, y: 366 };

/** True if drawing a diagram could block the page for seconds. */
export function isTooLarge(text: string): boolean {
	const count = (separator: RegExp) => text.match(separator)?.length ?? 0;
	const isLong = text.length > longest || count(/[\n;&]/g) >= mostStatements || count(/,/g) >= mostItems;
	// each space of a block diagram is a block
	return isLong || /\bspace:\d{3}/.test(text) || hasManyDays(text);
}

/** True for a Gantt chart with excluded days if its tasks could have very many days, or if that can't be told. */
function hasManyDays(text: string): boolean {
	if (!/^[ \t]*gantt\b/m.test(text) || !/^[ \t]*excludes\b/im.test(text)) {
		return false;
	}
	const hasOtherDates = /\d{5}/.test(text) || /^[ \t]*dateFormat\b(?!.*YYYY)/im.test(text);
	const years = [...text.matchAll(/(?<!\d)\d{4}(?!\d)/g)].map(Number);
	const span = years.length > 0 ? Math.max(...years) - Math.min(...years) + 1 : 1;
	const durations = [...text.matchAll(/(\d{1,3}(?:\.\d{1,9})?)([dwMy])\b/g)].map(
		([, number, unit = '']) => Number(number) * (daysPerUnit[unit] ?? 0),
	);
	const days = durations.reduce((sum, each) => sum + each, 0) + span * 366 * text.split('\n').length;
	return hasOtherDates || days > mostDays;
}
