/**
 * Adds to `lost` if a value that came as JSON has numbers that a JavaScript number may not hold exactly. Unlike arguments that come as a string, such a
 * value was parsed with the whole request, and its digits are gone.
 */
export function tellRounded(value: unknown, at: string, lost: string[]): void {
	if (hasLargeNumber(value)) {
		lost.push(`${at}: numbers above 2^53 may have been rounded`);
	}
}

function hasLargeNumber(value: unknown): boolean {
	return typeof value === 'number'
		? Math.abs(value) > Number.MAX_SAFE_INTEGER
		: typeof value === 'object' && value !== null && Object.values(value).some(hasLargeNumber);
}
