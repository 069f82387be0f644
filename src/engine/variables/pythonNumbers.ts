/** Number that Python's `float()` reads in a text; `undefined`: none. */
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

/** Number that Python's `int()` reads in a text; `undefined`: none. */
export function intIn(text: string): number | undefined {
	const digits = plainDigits(text);
	return /^[+-]?\d+$/.test(digits) ? Number(digits) : undefined;
}

/** Without blanks around it and the single underscores that Python takes between digits. */
function plainDigits(text: string): string {
	return text.trim().replace(/(?<=\d)_(?=\d)/g, '');
}
