/**
 * Adds a warning to `lost` if a parsed value has numbers that may be rounded. Unlike arguments given as a string, the value was parsed with
 * the whole request, so the digits are lost.
 */
export function reportRoundedNumbers(value: unknown, at: string, lost: string[]): void {
	if (hasLargeNumber(value)) {
		lost.push(`${at}: numbers above 2^53 may have been rounded`);
	}
}

function hasLargeNumber(value: unknown): boolean {
	return typeof value === 'number'
		? Math.abs(value) > Number.MAX_SAFE_INTEGER
		: typeof value === 'object' && value !== null && Object.values(value).some(hasLargeNumber);
}
