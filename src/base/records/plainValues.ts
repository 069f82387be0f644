/** Fields of a value; none of anything that is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A field of a value; `undefined` where the value has none of its own by this name. */
export function fieldOf(value: unknown, name: string): unknown {
	const fields = fieldsOf(value);
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Items of a field that is a list; none of anything else. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
	const list = fieldOf(value, name);
	return Array.isArray(list) ? list : [];
}

/** A field as text, such as an ID that is written as a number; empty where it is absent, null, a list or an object. */
export function textOf(value: unknown, name: string): string {
	const field = fieldOf(value, name);
	return typeof field === 'object' || field === undefined ? '' : String(field);
}
