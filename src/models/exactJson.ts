/** What current engines have and TypeScript's library does not know yet (TC39, JSON.parse source text access). */
interface ExactJson {
	parse(text: string, reviver: (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown): unknown;
	rawJSON?(text: string): unknown;
}

/**
 * Parses the arguments of a tool call. An integer that a JavaScript number can't hold stands for its own digits, so that writing the value as JSON again
 * gives the same number. Throws a `SyntaxError` for invalid JSON.
 */
export function parseArguments(json: string): unknown {
	const exact = JSON as ExactJson;
	if (!longNumber.test(json) || exact.rawJSON === undefined) {
		return JSON.parse(json);
	}
	return exact.parse(json, (key, value, context) =>
		// callers ask whether the whole is an object, and the stand-in is one
		key !== '' && typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
			? exact.rawJSON?.(context?.source ?? '')
			: value,
	);
}

/** Only such a text is worth a reviver, which is called for every value. */
const longNumber = /\d{16}/;
