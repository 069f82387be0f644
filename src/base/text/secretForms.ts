/**
 * Returns the forms in which a secret can appear in text, always in this order: plain, percent-encoded, form-encoded, JSON-escaped,
 * base64, and JSON-escaped to ASCII with lower- and upper-case digits.
 */
export function listSecretForms(given: string): readonly [string, string, string, string, string, string, string] {
	// half a surrogate pair can't be percent-encoded
	const secret = given.toWellFormed();
	const json = JSON.stringify(secret).slice(1, -1);
	const ascii = json.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ k: secret }).toString().slice(2),
		json,
		Buffer.from(secret).toString('base64'),
		ascii,
		ascii.replace(/\\(?:u([0-9a-f]{4})|.)/g, (each, digits?: string) => (digits === undefined ? each : `\\u${digits.toUpperCase()}`)),
	];
}

/** Creates a pattern that matches any of these texts, preferring the longest. Returns undefined if there are no texts. */
export function createAlternation(texts: Iterable<string>): RegExp | undefined {
	const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length);
	return longestFirst.length > 0 ? new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g') : undefined;
}

function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
