/**
 * Returns a function that checks if a name matches a pattern in which `*` stands for any characters. The check takes linear time, because
 * the names come from callers.
 */
export function createWildcardMatcher(pattern: string): (name: string) => boolean {
	const [start, ...others] = pattern.split('*');
	const end = others.pop();
	if (start === undefined || end === undefined) {
		return name => name === pattern;
	}
	const middle = others.filter(part => part !== '');
	return name => {
		const last = name.length - end.length;
		let at = start.length;
		if (!name.startsWith(start) || !name.endsWith(end)) {
			return false;
		}
		// the leftmost occurrence of each part leaves the most room for the parts after it
		for (const part of middle) {
			const found = name.indexOf(part, at);
			if (found < 0) {
				return false;
			}
			at = found + part.length;
		}
		return at <= last;
	};
}

/** Returns the values that the patterns select by name, and `undefined` for a name without `*` that has none. */
export function selectByWildcards<T>(
	patterns: readonly string[],
	values: Readonly<Record<string, T | undefined>>,
): ReadonlyMap<string, T | undefined> {
	const names = patterns.flatMap(pattern =>
		pattern.includes('*') ? Object.keys(values).filter(createWildcardMatcher(pattern)) : [pattern],
	);
	return new Map(names.map(name => [name, values[name]]));
}
