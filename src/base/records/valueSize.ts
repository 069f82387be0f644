/**
 * True if a value takes at most about this many characters as JSON. Stops counting at the limit, so that the check is cheap for any size.
 */
export function isWithinSize(value: unknown, limit: number): boolean {
	let left = limit;
	const subtractSize = (part: unknown): boolean => {
		if (typeof part === 'string') {
			left -= part.length + 2;
		} else if (Array.isArray(part)) {
			left -= 2;
			return left >= 0 && part.every(subtractSize);
		} else if (typeof part === 'object' && part !== null) {
			left -= 2;
			return left >= 0 && Object.entries(part).every(([name, inner]) => subtractSize(name) && subtractSize(inner));
		} else {
			left -= String(part).length + 1;
		}
		return left >= 0;
	};
	return subtractSize(value);
}
