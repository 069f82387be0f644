/** Returns the editable text of a value: strings as they are, other values as JSON, empty for `null` or `undefined`. */
export function formatFieldValue(value: unknown): string {
	return value === undefined || value === null
		? ''
		: typeof value === 'string'
			? value
			: JSON.stringify(value, null, typeof value === 'object' ? 2 : 0);
}
