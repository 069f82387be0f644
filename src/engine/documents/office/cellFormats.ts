import { readXml } from './xmlEvents.ts';

/** What numbers of a style are. */
export type CellFormat = 'date' | 'time' | 'number';

/** Of each style of a workbook, by its number, whether its numbers are dates, times of day or just numbers. */
export function cellFormats(xml: Uint8Array): CellFormat[] {
	const codes = new Map<number, string>();
	const formats: CellFormat[] = [];
	let inCells = false;
	readXml(xml, {
		open(name, { numFmtId, formatCode }) {
			if (name === 'numFmt' && formatCode !== undefined) {
				codes.set(Number(numFmtId), formatCode);
			} else if (name === 'cellXfs') {
				inCells = true;
			} else if (name === 'xf' && inCells) {
				const id = Number(numFmtId ?? 0);
				formats.push(cellFormat(id, codes.get(id)));
			}
		},
		close(name) {
			inCells &&= name !== 'cellXfs';
		},
	});
	return formats;
}

/** What numbers of a format are, by its number, or by its code where the workbook spells it out. */
export function cellFormat(id: number, code: string | undefined): CellFormat {
	return code === undefined ? builtIn(id) : kindOf(code);
}

/** Formats that no workbook spells out (ECMA-376, part 1, 18.8.30), those of East Asian editions among them. */
function builtIn(id: number): CellFormat {
	if ((id >= 18 && id <= 21) || (id >= 45 && id <= 47)) {
		return 'time';
	}
	return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : 'number';
}

function kindOf(code: string): CellFormat {
	// what is quoted or in brackets is no token, but for hours and minutes that count on: [h]:mm
	const tokens = code.replace(/"[^"]*"|\\.|_./g, '').replace(/\[(?![hms]+\])[^[\]]*\]/gi, '');
	if (/[yd]/i.test(tokens)) {
		return 'date';
	}
	return /[hs]/i.test(tokens) ? 'time' : 'number';
}

/** A number as it is read: a day and time where its format says so. `from1904`: days count from that year. */
export function numberText(value: number, format: CellFormat | undefined, from1904: boolean): string {
	return format === 'date' || format === 'time' ? dateText(value, format, from1904) : String(value);
}

/** A day and time as the hosted service prints them (`2026-01-31 12:30:00`); a time of day alone where the number has no day. */
function dateText(serial: number, kind: 'date' | 'time', from1904: boolean): string {
	// Excel counts a 29th of February 1900, which was none
	const days = from1904 ? serial + 1462 : serial > 0 && serial < 60 && kind === 'date' ? serial + 1 : serial;
	const date = new Date(Math.round((days - 25_569) * 86_400) * 1000);
	if (Math.abs(days) > 3_000_000 || Number.isNaN(date.getTime())) {
		return String(serial);
	}
	const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T');
	return kind === 'time' && serial >= 0 && serial < 1 ? time : `${day} ${time}`;
}
