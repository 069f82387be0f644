import { readXml } from './xmlEvents.ts';

/** How a cell style displays numbers. */
export type CellFormat = 'date' | 'time' | 'elapsed' | 'number';

/** Returns the number format of each cell style of a workbook, indexed by style number. */
export function readCellFormats(xml: Uint8Array): CellFormat[] {
	const codes = new Map<number, string>();
	const formats: CellFormat[] = [];
	let inCells = false;
	readXml(xml, {
		openElement(name, { numFmtId, formatCode }) {
			if (name === 'numFmt' && formatCode !== undefined) {
				codes.set(Number(numFmtId), formatCode);
			} else if (name === 'cellXfs') {
				inCells = true;
			} else if (name === 'xf' && inCells) {
				const id = Number(numFmtId ?? 0);
				formats.push(getCellFormat(id, codes.get(id)));
			}
		},
		close(name) {
			inCells &&= name !== 'cellXfs';
		},
	});
	return formats;
}

/** Returns the number format for a format ID, or for its format code if the workbook declares one. */
export function getCellFormat(id: number, code: string | undefined): CellFormat {
	return code === undefined ? getBuiltInFormat(id) : parseFormatCode(code);
}

/** Built-in formats (ECMA-376, part 1, 18.8.30), which workbooks don't declare, including those of East Asian editions. */
function getBuiltInFormat(id: number): CellFormat {
	if (id === 46) {
		return 'elapsed';
	}
	if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) {
		return 'time';
	}
	return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
}

function parseFormatCode(code: string): CellFormat {
	// quoted and bracketed parts aren't date tokens, except elapsed hours and minutes: [h]:mm
	const tokens = code.replace(/"[^"]*"|\\.|_./g, '').replace(/\[(?![hms]+\])[^[\]]*\]/gi, '');
	if (/\[[hms]+\]/i.test(tokens)) {
		return 'elapsed';
	}
	if (/[yd]/i.test(tokens)) {
		return 'date';
	}
	// an `m` without hours or seconds is a month
	return /[hs]/i.test(tokens) ? 'time' : /m/i.test(tokens) ? 'date' : 'number';
}

/**
 * Formats a number for reading, as a date and time or as elapsed hours, minutes and seconds if its format says so.
 * @param from1904 true if days count from 1904
 */
export function formatCellNumber(value: number, format: CellFormat | undefined, from1904: boolean): string {
	if (format === 'elapsed') {
		return formatElapsedDays(value);
	}
	return format === 'date' || format === 'time' ? formatSerialDate(value, format, from1904) : String(value);
}

/** Formats a date and time as the hosted service prints it (`2026-01-31 12:30:00`), or only the time if the number has no day. */
function formatSerialDate(serial: number, kind: 'date' | 'time', from1904: boolean): string {
	// Excel counts February 29, 1900, which didn't exist
	const days = from1904 ? serial + 1462 : serial > 0 && serial < 60 && kind === 'date' ? serial + 1 : serial;
	const date = new Date(Math.round((days - 25_569) * 86_400) * 1000);
	if (Math.abs(days) > 3_000_000 || Number.isNaN(date.getTime())) {
		return String(serial);
	}
	const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
	return kind === 'time' && serial >= 0 && serial < 1 ? time : `${day} ${time}`;
}

function formatElapsedDays(days: number): string {
	const seconds = Math.round(Math.abs(days) * 86_400);
	const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
	return `${days < 0 ? '-' : ''}${fields.map(field => String(field).padStart(2, '0')).join(':')}`;
}
