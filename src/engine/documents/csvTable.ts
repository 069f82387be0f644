import { CellCount, markdownTable } from './markdownTable.ts';

/** CSV as a Markdown table, as the hosted service gives it to models; the first row is the heading. @throws {NodeError} for one that is too large */
export function csvTable(text: string): string {
	return markdownTable(parseCsv(text.replace(/^\uFEFF/, '')).filter(row => row.some(cell => cell.trim() !== '')));
}

/** Rows of cells (RFC 4180); the separator is the one of comma, semicolon and tab that the first line has most of. */
function parseCsv(text: string): string[][] {
	const firstLine = text.slice(0, text.search(/\n|$/));
	const separator = [',', ';', '\t'].reduce((best, candidate) =>
		partsOf(firstLine, candidate) > partsOf(firstLine, best) ? candidate : best,
	);
	const rows: string[][] = [];
	const count = new CellCount();
	let row: string[] = [];
	let cell = '';
	let quoted = false;
	const endCell = (value: string) => {
		row.push(value);
		cell = '';
		count.add();
	};
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
			endCell(cell);
		} else if (character === '\n') {
			endCell(cell.replace(/\r$/, ''));
			rows.push(row);
			row = [];
		} else {
			cell += character;
		}
	}
	if (cell !== '' || row.length > 0) {
		endCell(cell);
		rows.push(row);
	}
	return rows;
}

function partsOf(text: string, part: string): number {
	return text.split(part).length;
}
