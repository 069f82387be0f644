/** Returns a copy of a value with the value at an existing path of keys and indexes replaced. */
export function replaceMember(whole: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
	if (key === undefined) {
		return value;
	}
	if (Array.isArray(whole)) {
		return whole.map((item, index) => (String(index) === key ? replaceMember(item, rest, value) : item));
	}
	return Object.fromEntries(
		Object.entries(whole as object).map(([name, field]) => [name, name === key ? replaceMember(field, rest, value) : field]),
	);
}
