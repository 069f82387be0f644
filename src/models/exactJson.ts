/** Features of current engines that TypeScript's library doesn't declare (TC39, JSON.parse source text access). */
interface ExactJson {
	parse(text: string, reviver: (this: unknown, key: string, value: unknown, context?: { readonly source?: string }) => unknown): unknown;
	rawJSON?(text: string): unknown;
}

/**
 * Parses the arguments of a tool call. Integers too large for a JavaScript number keep their digits when the value is written as JSON
 * again. Throws a `SyntaxError` for invalid JSON.
 */
export function parseArguments(json: string): unknown {
	const exact = JSON as ExactJson;
	if (!longNumber.test(json) || exact.rawJSON === undefined) {
		return JSON.parse(json);
	}
	return exact.parse(json, (key, value, context) =>
		// skip the root, because callers check whether it's an object and rawJSON returns one
		key !== '' && typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
			? exact.rawJSON?.(context?.source ?? '')
			: value,
	);
}

/** Matches strings that may contain such numbers. Only these need a reviver, which is called for every value. */
const longNumber = /\d{16}/;
