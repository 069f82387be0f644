/**
 * Whether a value takes no more than about this many characters as JSON. Stops counting as soon as it is more, so that it is cheap on any
 * size.
 */
export function isSmall(value: unknown, limit: number): boolean {
	let left = limit;
	const fits = (part: unknown): boolean => {
		if (typeof part === 'string') {
			left -= part.length + 2;
		} else if (Array.isArray(part)) {
			left -= 2;
			return left >= 0 && part.every(fits);
		} else if (typeof part === 'object' && part !== null) {
			left -= 2;
			return left >= 0 && Object.entries(part).every(([name, inner]) => fits(name) && fits(inner));
		} else {
			left -= String(part).length + 1;
		}
		return left >= 0;
	};
	return fits(value);
}
