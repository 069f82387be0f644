/** A secret as texts hold it: in plain, percent-encoded, as in a form, JSON-escaped and base64 form, always in this order. */
export function secretForms(given: string): readonly [string, string, string, string, string] {
	// half a surrogate pair cannot be percent-encoded
	const secret = given.toWellFormed();
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ k: secret }).toString().slice(2),
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('base64'),
	];
}

/** Longer texts are searched for one by one: a pattern of 30,000 characters is refused, by an error that quotes it. */
const longestInPattern = 10_000;

/** Returns what replaces each of these texts, the longest that fits, by what it maps to; undefined for none. */
export function replacerOf(places: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
	const long = [...places.keys()].filter(form => form.length > longestInPattern).sort((a, b) => b.length - a.length);
	const pattern = anyOf([...places.keys()].filter(form => form.length <= longestInPattern));
	const replaceFrom = (at: number, text: string): string => {
		const form = long[at];
		if (form !== undefined) {
			const parts = text.split(form).map(part => replaceFrom(at + 1, part));
			return parts.join(places.get(form));
		}
		return pattern ? text.replace(pattern, found => places.get(found) ?? found) : text;
	};
	return places.size > 0 ? text => replaceFrom(0, text) : undefined;
}

/** What finds any of these texts, the longest that fits; undefined for none. */
export function anyOf(texts: Iterable<string>): RegExp | undefined {
	const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length);
	return longestFirst.length > 0 ? new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g') : undefined;
}

function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
