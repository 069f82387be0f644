/** Parses a number like Python's `float()`; `undefined` if invalid. */
export function parsePythonFloat(text: string): number | undefined {
	const digits = removeSeparators(text);
	if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) {
		return Number(digits);
	}
	const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(digits) ?? [];
	if (word === undefined) {
		return undefined;
	}
	return word.toLowerCase() === 'nan' ? Number.NaN : sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Parses a number like Python's `int()`; `undefined` if invalid. */
export function parsePythonInt(text: string): number | undefined {
	const digits = removeSeparators(text);
	return /^[+-]?\d+$/.test(digits) ? Number(digits) : undefined;
}

/** Trims whitespace and removes the single underscores that Python allows between digits. */
function removeSeparators(text: string): string {
	return text.trim().replace(/(?<=\d)_(?=\d)/g, '');
}
