import { NodeError } from '../../nodes/nodeError.ts';
import { Archive } from './archive.ts';
import { type CellFormat, formatCellNumber, readCellFormats } from './cellFormats.ts';
import { findListedParts } from './relations.ts';
import { SheetTables } from './sheetTables.ts';
import { readXml } from './xmlEvents.ts';

const workbook = 'xl/workbook.xml';

/** Data that the cells of a workbook refer to. */
interface Shared {
	readonly texts: readonly string[];
	/** Number format of each cell style. */
	readonly formats: readonly CellFormat[];
	/** True if days count from 1904. */
	readonly from1904: boolean;
}

/** Returns the sheets of a workbook (XLSX) in order, each as a Markdown table under its name. Empty rows and sheets are omitted. */
export function readXlsxText(bytes: Uint8Array): string {
	const archive = new Archive(bytes);
	const sheets = findListedParts(archive, workbook, 'sheet');
	const shared = readSharedData(archive);
	const files = archive.readListedFiles(sheets.map(({ path }) => path));
	const tables = new SheetTables();
	for (const { name, path } of sheets) {
		readSheet(files.get(path) ?? new Uint8Array(), shared, tables);
		tables.endSheet(name);
	}
	return tables.toText();
}

function readSharedData(archive: Archive): Shared {
	const files = new Map(
		[...archive.readFiles(name => /^xl\/(?:sharedstrings|styles)\.xml$/i.test(name))].map(([name, file]) => [name.toLowerCase(), file]),
	);
	let from1904 = false;
	readXml(archive.readFile(workbook), {
		openElement(name, { date1904 }) {
			from1904 ||= name === 'workbookPr' && (date1904 === '1' || date1904 === 'true');
		},
	});
	return {
		texts: readSharedStrings(files.get('xl/sharedstrings.xml') ?? new Uint8Array()),
		formats: readCellFormats(files.get('xl/styles.xml') ?? new Uint8Array()),
		from1904,
	};
}

function readSharedStrings(xml: Uint8Array): string[] {
	const texts: string[] = [];
	const reader = new RichText();
	readXml(xml, {
		openElement: name => reader.openElement(name),
		addText: text => reader.addText(text),
		close(name) {
			reader.closeElement(name);
			if (name === 'si') {
				texts.push(reader.takeText());
			}
		},
	});
	return texts;
}

function readSheet(xml: Uint8Array, shared: Shared, tables: SheetTables): void {
	const reader = new RichText();
	let column = -1;
	let type = 'n';
	let style = 0;
	readXml(xml, {
		openElement(name, { r, t, s }) {
			reader.openElement(name);
			if (name === 'row') {
				column = -1;
			} else if (name === 'c') {
				column = parseColumn(r) ?? column + 1;
				type = t ?? 'n';
				style = Number(s ?? 0);
				reader.takeText();
			}
		},
		addText: text => reader.addText(text),
		close(name) {
			reader.closeElement(name);
			const raw = name === 'c' ? reader.takeText() : '';
			if (raw !== '') {
				tables.putCell(column, formatCell(raw, type, style, shared));
			} else if (name === 'row') {
				tables.endRow();
			}
		},
	});
}

/** Collects the text of a cell: its value, or the runs of its inline string, without phonetic hints. */
class RichText {
	#text = '';
	#open = 0;
	#phonetic = 0;

	openElement(name: string): void {
		this.#open += name === 'v' || name === 't' ? 1 : 0;
		this.#phonetic += name === 'rPh' ? 1 : 0;
	}

	closeElement(name: string): void {
		this.#open -= name === 'v' || name === 't' ? 1 : 0;
		this.#phonetic -= name === 'rPh' ? 1 : 0;
	}

	addText(text: string): void {
		if (this.#open > 0 && this.#phonetic === 0) {
			this.#text += text;
		}
	}

	/** Returns and clears the collected text. */
	takeText(): string {
		const text = this.#text;
		this.#text = '';
		return text;
	}
}

/** Returns the column of a cell reference such as `AB12`, counted from 0. */
function parseColumn(place: string | undefined): number | undefined {
	const letters = /^[A-Z]{1,3}(?=\d)/.exec(place ?? '')?.[0];
	return letters === undefined ? undefined : [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function formatCell(raw: string, type: string, style: number, { texts, formats, from1904 }: Shared): string {
	switch (type) {
		case 's':
			return texts[Number(raw)] ?? throwMissingText(raw);
		case 'b':
			return raw === '1' || raw === 'true' ? 'True' : 'False';
		case 'n': {
			const number = Number(raw);
			return Number.isFinite(number) ? formatCellNumber(number, formats[style], from1904) : raw;
		}
		default:
			return raw;
	}
}

function throwMissingText(index: string): never {
	throw new NodeError(`The document is damaged: text ${index.slice(0, 20)} of its cells is missing`, 'TextExtractionError');
}
