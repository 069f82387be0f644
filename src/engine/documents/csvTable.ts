import { CellCount, formatMarkdownTable } from './markdownTable.ts';

/**
 * Converts CSV to a Markdown table, as the hosted service passes it to models. The first row is the heading.
 * @throws {NodeError} if the table is too large
 */
export function formatCsvTable(text: string): string {
	return formatMarkdownTable(
		parseCsv(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')).filter(row => row.some(cell => cell.trim() !== '')),
	);
}

/**
 * Parses CSV with line feeds into rows of cells (RFC 4180). The separator is the one that Excel's line `sep=;` names, or whichever of comma,
 * semicolon and tab is most frequent in the first line outside quotes.
 */
function parseCsv(csv: string): string[][] {
	const [declaration = '', named] = /^sep=(.)\n/.exec(csv) ?? [];
	const text = csv.slice(declaration.length);
	const firstLine = text.slice(0, text.search(/\n|$/)).replace(/"[^"]*"/g, '');
	const separator =
		named ??
		[',', ';', '\t'].reduce((best, candidate) =>
			countSplitParts(firstLine, candidate) > countSplitParts(firstLine, best) ? candidate : best,
		);
	const rows: string[][] = [];
	const count = new CellCount();
	let row: string[] = [];
	let cell = '';
	let quoted = false;
	const finishCell = (value: string) => {
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
			finishCell(cell);
		} else if (character === '\n') {
			finishCell(cell);
			rows.push(row);
			row = [];
		} else {
			cell += character;
		}
	}
	if (cell !== '' || row.length > 0) {
		finishCell(cell);
		rows.push(row);
	}
	return rows;
}

function countSplitParts(text: string, part: string): number {
	return text.split(part).length;
}
