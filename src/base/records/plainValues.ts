/** True if a value is an object, but neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fields of a value, or an empty object if the value isn't an object. */
export function toFields(value: unknown): Readonly<Record<string, unknown>> {
	return isRecord(value) ? value : {};
}

/** Returns a value's own field, or `undefined` if there is none. */
export function getField(value: unknown, name: string): unknown {
	const fields = toFields(value);
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Returns the items of a field, or an empty array if the field isn't an array. */
export function getItems(value: unknown, name: string): readonly unknown[] {
	const list = getField(value, name);
	return Array.isArray(list) ? list : [];
}

/**
 * Returns a field as a string, for example an ID written as a number. Returns an empty string if the field is absent, null, an array or an
 * object.
 */
export function getFieldText(value: unknown, name: string): string {
	const field = getField(value, name);
	return typeof field === 'object' || field === undefined ? '' : String(field);
}

/** True if two plain values are deeply equal, regardless of the order of fields. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
	if (a === b) {
		return true;
	}
	if (Array.isArray(a) || Array.isArray(b)) {
		return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => isDeepEqual(item, b[at]));
	}
	if (isRecord(a) && isRecord(b)) {
		const keys = Object.keys(a);
		return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key]));
	}
	return Object.is(a, b);
}
