/** Returns all strings of a JSON value, including the names of fields. */
export function listStrings(value: unknown): readonly string[] {
	const found: string[] = [];
	const waiting: unknown[] = [value];
	while (waiting.length > 0) {
		const each = waiting.pop();
		if (typeof each === 'string') {
			found.push(each);
		} else if (typeof each === 'object' && each !== null) {
			for (const [name, inner] of Object.entries(each)) {
				waiting.push(inner);
				if (!Array.isArray(each)) {
					found.push(name);
				}
			}
		}
	}
	return found;
}
