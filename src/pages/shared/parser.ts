/** Returns a parser for untrusted values: it returns the parsed value, or `undefined` if it isn't valid. */
export function createParser<T>(schema: {
	safeParse(value: unknown): { readonly data?: T | undefined };
}): (value: unknown) => T | undefined {
	return value => schema.safeParse(value).data;
}
