/** Limits for the text of one diagram: layout takes more than linear time, and can't be stopped. */
const longest = 8000;
const mostStatements = 150;
/** Maximum number of bits in a packet diagram. */
const mostBits = 4096;
/** Of lists in one statement. */
const mostItems = 500;
/** Maximum number of edges of a flowchart, because one statement can have many. */
export const mostEdges = 150;

/** Of all tasks of a Gantt chart that excludes some: Mermaid looks at each of them up to twelve times, for 20 microseconds each. */
const mostDays = 8000;
/** Of a chart's date format, in which each of these days is written. */
const longestFormat = 40;
const daysPerUnit: Readonly<Record<string, number>> = { ms: 0, s: 0, m: 0, h: 1 / 24, d: 1, w: 7, M: 31, y: 366 };

/** Returns the text of a diagram without directives; undefined if drawing it could block the page for seconds. */
export function limitDiagram(text: string): string | undefined {
	const rest = text.length > longest ? undefined : removeDirectives(text);
	return rest === undefined || isTooLarge(rest) ? undefined : rest;
}

/**
 * Removes Mermaid's directives. Diagrams have no configuration of their own, and a directive that Mermaid removes from the middle of a word
 * would hide the word from {@link isTooLarge}.
 */
function removeDirectives(text: string): string {
	let rest = text;
	for (let start = rest.indexOf('%%{'); start >= 0; start = rest.indexOf('%%{')) {
		const end = rest.indexOf('}%%', start);
		rest = rest.slice(0, start) + (end < 0 ? '' : rest.slice(end + 3));
	}
	return rest;
}

function isTooLarge(text: string): boolean {
	const count = (separator: RegExp) => text.match(separator)?.length ?? 0;
	const isLong = count(/[\n;&]/g) >= mostStatements || count(/,/g) >= mostItems;
	// each space of a block diagram is a block
	return isLong || /space:\d{3}/i.test(text) || hasManyBits(text) || hasManyDays(text);
}

/** True for a packet with very many bits: each row of them is drawn. */
function hasManyBits(text: string): boolean {
	if (!text.split('\n').some(line => line.trimStart().startsWith('packet'))) {
		return false;
	}
	const unquoted = text.replace(/"[^"\n]*"/g, '');
	const numbers = [...unquoted.matchAll(/(\+?)(\d{1,9})/g)].map(([, plus, number]) => ({ isLength: plus !== '', number: Number(number) }));
	const bits = numbers.reduce((sum, { isLength, number }) => (isLength ? sum + number : Math.max(sum, number)), 0);
	return bits > mostBits || /\d{10}/.test(unquoted);
}

/** True for a Gantt chart with excluded days if its tasks could have very many days, or if that can't be told. */
function hasManyDays(text: string): boolean {
	// Mermaid finds statements anywhere in a line
	if (!/gantt/i.test(text) || !/excludes/i.test(text)) {
		return false;
	}
	const formats = [...text.matchAll(/dateFormat\s([^#\n;]*)/gi)].map(([, format = '']) => format);
	const isOdd = formats.some(format => format.length > longestFormat || !format.includes('YYYY'));
	const names = new Set([...text.matchAll(/(?:mon|tues|wednes|thurs|fri|satur|sun)day/gi)].map(([name]) => name.toLowerCase()));
	// excluded days make tasks longer
	const left = 7 - names.size - (/weekends/i.test(text) ? 2 : 0);
	return isOdd || countDays(text) * (7 / Math.max(1, left)) > mostDays;
}

const taskTag = /^(?:active|done|crit|milestone|vert)$/;
const duration = /^(\d{1,9}(?:\.\d{1,9})?)(ms|[smhdwMy])$/;
/** A date in a common order, with a year of four digits: JavaScript would read almost anything else as a date, too. */
const date = /^(?:(\d{4})[./-]\d\d?[./-]\d\d?|\d\d?[./-]\d\d?[./-](\d{4}))(?:[ T]\d\d?:\d\d(?::\d\d)?)?$/;

/** Returns at least the number of days of a chart's tasks; infinity if that can't be told. */
function countDays(text: string): number {
	const tasks = text.split('\n').map(line => {
		// the rest of these statements isn't a task
		const rest = line.trimStart().replace(/^(?:dateFormat|axisFormat|tickInterval|todayMarker|accTitle|accDescr)[\s:][^#;]*/i, '');
		return /^(?:title|section)\s/i.test(rest) ? '' : rest;
	});
	const years: number[] = [];
	let [days, open] = [0, 0];
	for (const [, data = ''] of tasks.flatMap(task => [...task.matchAll(/:([^#;]*)/g)])) {
		const fields = data.split(',').map(field => field.trim());
		const times = fields.slice(fields.findIndex(field => !taskTag.test(field)));
		for (const time of times.length > 2 ? times.slice(1) : times) {
			const [, number, unit = ''] = duration.exec(time) ?? [];
			const [, first, last] = date.exec(time) ?? [];
			if (number !== undefined) {
				days += Number(number) * (daysPerUnit[unit] ?? 0);
			} else if (first ?? last) {
				years.push(Number(first ?? last));
			} else if (/^(?:after|until)\s[\w -]+$/.test(time)) {
				// today, if it names no task
				years.push(new Date().getFullYear());
			} else if (time !== '') {
				return Number.POSITIVE_INFINITY;
			}
		}
		open += duration.test(times.at(-1) ?? '') ? 0 : 1;
	}
	return days + (years.length === 0 ? 0 : (Math.max(...years) - Math.min(...years) + 1) * 366 * open);
}
