/** Parses a number like Python's `float()`; `undefined` if invalid. */
export function floatIn(text: string): number | undefined {
	const digits = plainDigits(text);
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
export function intIn(text: string): number | undefined {
	const digits = plainDigits(text);
	return /^[+-]?\d+$/.test(digits) ? Number(digits) : undefined;
}

/** Trims whitespace and removes the single underscores that Python allows between digits. */
function plainDigits(text: string): string {
	return text.trim().replace(/(?<=\d)_(?=\d)/g, '');
}
