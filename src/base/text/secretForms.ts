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

/** What finds any of these texts, the longest that fits; undefined for none. */
export function anyOf(texts: Iterable<string>): RegExp | undefined {
	const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length);
	return longestFirst.length > 0 ? new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g') : undefined;
}

function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
