/** A value as it is typed: a text as it is, anything else as JSON; nothing where there is none. */
export function textOfValue(value: unknown): string {
	return value === undefined || value === null
		? ''
		: typeof value === 'string'
			? value
			: JSON.stringify(value, null, typeof value === 'object' ? 2 : 0);
}
