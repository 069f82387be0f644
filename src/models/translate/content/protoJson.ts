import { isRecord } from '#base/records/plainValues.ts';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Converts the field names of an object (E) to camel case. In proto3 JSON, `inline_data` and `inlineData` are the same field (wire facts
 * 4.1), and null counts as absent. Converts only one level, because nested objects may be the caller's data. Returns an empty object for
 * other values.
 */
export function toCamelCaseFields(value: unknown): Fields {
	if (!isRecord(value)) {
		return {};
	}
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, field]) => field !== null)
			.map(([name, field]) => [name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()), field]),
	);
}

/** Returns a list; a single object becomes a list of one (wire facts 4.1). */
export function toList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
