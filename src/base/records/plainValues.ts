/** True if a value is an object: not an array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields of a value; empty if it isn't an object. */
export function toFields(value: unknown): Readonly<Record<string, unknown>> {
	return isRecord(value) ? value : {};
}

/** Own field of a value; `undefined` if it has none. */
export function getField(value: unknown, name: string): unknown {
	const fields = toFields(value);
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Items of a field that is an array; empty otherwise. */
export function getItems(value: unknown, name: string): readonly unknown[] {
	const list = getField(value, name);
	return Array.isArray(list) ? list : [];
}

/** A field as a string, for example an ID written as a number; empty if it's absent, null, an array or an object. */
export function getFieldText(value: unknown, name: string): string {
	const field = getField(value, name);
	return typeof field === 'object' || field === undefined ? '' : String(field);
}

/** True if two plain values are equal, regardless of the order of fields. */
export function isSame(a: unknown, b: unknown): boolean {
	if (a === b) {
		return true;
	}
	if (Array.isArray(a) || Array.isArray(b)) {
		return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
	}
	if (isRecord(a) && isRecord(b)) {
		const keys = Object.keys(a);
		return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]));
	}
	return Object.is(a, b);
}
