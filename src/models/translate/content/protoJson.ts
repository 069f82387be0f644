import { isRecord } from '#base/records/plainValues.ts';

/** A JSON object with field names as text. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * An object of E with its own field names in camel case: requests are proto3 JSON, where `inline_data` and `inlineData` are the same
 * field (wire facts 4.1), and null is absent. One level: what is inside may be the caller's own data. Not an object: empty.
 */
export function camelFields(value: unknown): Fields {
	if (!isRecord(value)) {
		return {};
	}
	return Object.fromEntries(
		Object.entries(value)
			.filter(([, field]) => field !== null)
			.map(([name, field]) => [name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()), field]),
	);
}

/** A list; a single object stands for a list of one (wire facts 4.1). */
export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}
