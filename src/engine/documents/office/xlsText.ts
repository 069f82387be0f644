import { NodeError } from '../../nodes/nodeError.ts';
import { BiffReader } from './biffReader.ts';
import { type CellFormat, formatCellNumber, getCellFormat } from './cellFormats.ts';
import { CompoundFile } from './compoundFile.ts';
import { SheetTables } from './sheetTables.ts';

/** IDs of the records to read (MS-XLS, 2.3). */
const types = {
	formula: 0x06,
	eof: 0x0a,
	date1904: 0x22,
	password: 0x2f,
	sheet: 0x85,
	numbers: 0xbd,
	formattedText: 0xd6,
	style: 0xe0,
	texts: 0xfc,
	sharedText: 0xfd,
	number: 0x203,
	text: 0x204,
	truth: 0x205,
	formulaText: 0x207,
	smallNumber: 0x27e,
	format: 0x41e,
	begin: 0x809,
} as const;
const newestVersion = 0x600;

/** Returns the sheets of an Excel 97–2003 workbook (XLS) in order, each as a Markdown table under its name. */
export function readXlsText(bytes: Uint8Array): string {
	const stream = new CompoundFile(bytes).readStream('Workbook');
	if (!stream || !isWorkbookStream(new BiffReader(stream, 0))) {
		throw new NodeError(
			"The document has a password, or isn't an Excel 97 or later workbook. Save it as XLSX without a password.",
			'TextExtractionError',
		);
	}
	const workbook = new Workbook(stream);
	const tables = new SheetTables();
	for (const { name, place } of workbook.sheets) {
		workbook.readSheet(place, tables);
		tables.endSheet(name);
	}
	return tables.toText();
}

function isWorkbookStream(reader: BiffReader): boolean {
	return reader.readNextRecord() && reader.type === types.begin && reader.readUint16() === newestVersion;
}

class Workbook {
	readonly sheets: { readonly name: string; readonly place: number }[] = [];
	readonly #stream: Uint8Array;
	readonly #codes = new Map<number, string>();
	readonly #styles: number[] = [];
	#texts: readonly string[] = [];
	#from1904 = false;

	constructor(stream: Uint8Array) {
		this.#stream = stream;
		const reader = new BiffReader(stream, 0);
		while (reader.readNextRecord() && reader.type !== types.eof) {
			this.#readGlobalRecord(reader);
		}
	}

	#readGlobalRecord(reader: BiffReader): void {
		switch (reader.type) {
			case types.password:
				throw new NodeError('The document has a password. Save it without one.', 'TextExtractionError');
			case types.date1904:
				this.#from1904 = reader.readUint16() === 1;
				break;
			case types.format:
				this.#codes.set(reader.readUint16(), reader.readString(reader.readUint16()));
				break;
			case types.style:
				reader.skipBytes(2);
				this.#styles.push(reader.readUint16());
				break;
			case types.sheet: {
				const place = reader.readUint32();
				const isTable = reader.readUint16() >> 8 === 0;
				const name = reader.readString(reader.readUint8());
				if (isTable) {
					this.sheets.push({ name, place });
				}
				break;
			}
			case types.texts: {
				reader.skipBytes(4);
				const count = reader.readUint32();
				const texts: string[] = [];
				while (texts.length < count && reader.hasMore) {
					texts.push(reader.readString(reader.readUint16()));
				}
				this.#texts = texts;
			}
		}
	}

	/** Reads the cells of the sheet that starts at an offset of the stream. */
	readSheet(place: number, tables: SheetTables): void {
		const reader = new BiffReader(this.#stream, place);
		// charts inside a sheet have their own begin and end records
		let depth = 0;
		let row = -1;
		let formula: { readonly column: number } | undefined;
		while (reader.readNextRecord()) {
			if (reader.type === types.begin) {
				depth++;
			} else if (reader.type === types.eof && --depth <= 0) {
				return;
			} else if (depth === 1 && reader.type === types.formulaText && formula) {
				tables.putCell(formula.column, reader.readString(reader.readUint16()));
			} else if (depth === 1 && isCellRecord(reader.type)) {
				const at = reader.readUint16();
				if (at !== row) {
					tables.endRow();
					row = at;
				}
				formula = this.#readCell(reader, tables);
			}
		}
	}

	/** Reads a cell. Returns the column if it is a formula whose string result follows in a separate record. */
	#readCell(reader: BiffReader, tables: SheetTables): { readonly column: number } | undefined {
		const column = reader.readUint16();
		if (reader.type === types.numbers) {
			for (let next = column; reader.left >= 8; next++) {
				const format = this.#getNumberFormat(reader.readUint16());
				tables.putCell(next, formatCellNumber(decodeRk(reader.readUint32()), format, this.#from1904));
			}
			return undefined;
		}
		const format = this.#getNumberFormat(reader.readUint16());
		const putCellText = (text: string) => tables.putCell(column, text);
		switch (reader.type) {
			case types.number:
				putCellText(formatCellNumber(reader.readDouble(), format, this.#from1904));
				break;
			case types.smallNumber:
				putCellText(formatCellNumber(decodeRk(reader.readUint32()), format, this.#from1904));
				break;
			case types.sharedText:
				putCellText(this.#texts[reader.readUint32()] ?? '');
				break;
			case types.truth: {
				const value = reader.readUint8();
				putCellText(reader.readUint8() === 0 ? (value ? 'True' : 'False') : '');
				break;
			}
			case types.formula: {
				const result = reader.readFormulaResult();
				if (typeof result === 'number') {
					putCellText(formatCellNumber(result, format, this.#from1904));
				} else if (typeof result === 'boolean') {
					putCellText(result ? 'True' : 'False');
				}
				return result === 'text' ? { column } : undefined;
			}
			default:
				putCellText(reader.readString(reader.readUint16()));
		}
		return undefined;
	}

	#getNumberFormat(style: number): CellFormat {
		const id = this.#styles[style] ?? 0;
		return getCellFormat(id, this.#codes.get(id));
	}
}

const cells: ReadonlySet<number> = new Set([
	types.number,
	types.smallNumber,
	types.numbers,
	types.sharedText,
	types.text,
	types.formattedText,
	types.truth,
	types.formula,
]);

function isCellRecord(type: number): boolean {
	return cells.has(type);
}

/** Decodes a 32-bit number (RkNumber): an integer, or the upper half of a double; either may be in hundredths. */
function decodeRk(bits: number): number {
	const view = new DataView(new ArrayBuffer(8));
	view.setUint32(4, bits & 0xfffffffc, true);
	const value = (bits & 2) !== 0 ? bits >> 2 : view.getFloat64(0, true);
	return (bits & 1) !== 0 ? value / 100 : value;
}
