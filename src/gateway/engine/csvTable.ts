/** CSV as a Markdown table, as the hosted service gives it to models; the first row is the heading. */
export function csvTable(text: string): string {
	const rows = parseCsv(text.replace(/^\uFEFF/, '')).filter(row => row.some(cell => cell.trim() !== ''));
	const [heading, ...body] = rows;
	if (!heading) {
		return '';
	}
	const line = (row: readonly string[]) => `| ${heading.map((_, index) => cellText(row[index] ?? '')).join(' | ')} |`;
	return [line(heading), `| ${heading.map(() => '---').join(' | ')} |`, ...body.map(line)].join('\n');
}

function cellText(cell: string): string {
	return cell.trim().replaceAll('|', '\\|').replace(/\r?\n/g, ' ');
}

/** Rows of cells (RFC 4180); the separator is the one of comma, semicolon and tab that the first line has most of. */
function parseCsv(text: string): string[][] {
	const firstLine = text.slice(0, text.search(/\n|$/));
	const separator = [',', ';', '\t'].reduce((best, candidate) => (count(firstLine, candidate) > count(firstLine, best) ? candidate : best));
	const rows: string[][] = [];
	let row: string[] = [];
	let cell = '';
	let quoted = false;
	for (let i = 0; i < text.length; i++) {
		const character = text[i] as string;
		if (quoted) {
			if (character !== '"') {
				cell += character;
			} else if (text[i + 1] === '"') {
				cell += '"';
				i++;
			} else {
				quoted = false;
			}
		} else if (character === '"' && cell === '') {
			quoted = true;
		} else if (character === separator) {
			row.push(cell);
			cell = '';
		} else if (character === '\n') {
			rows.push([...row, cell.replace(/\r$/, '')]);
			row = [];
			cell = '';
		} else {
			cell += character;
		}
	}
	return cell !== '' || row.length > 0 ? [...rows, [...row, cell]] : rows;
}

function count(text: string, part: string): number {
	return text.split(part).length - 1;
}
