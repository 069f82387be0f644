/** Returns the value of a string literal, processing Python's escapes. @param literal the literal with its quotes */
export function readStringLiteral(literal: string): string {
	const short: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\u0007', '\n': '' };
	return literal
		.slice(1, -1)
		.replace(
			/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
			(whole, x?: string, u?: string, long?: string, octal?: string, one?: string) => {
				const hex = x ?? u ?? long;
				if (hex !== undefined) {
					const code = Number.parseInt(hex, 16);
					return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
				}
				if (octal !== undefined) {
					return String.fromCharCode(Number.parseInt(octal, 8));
				}
				return short[one as string] ?? (`\\'"`.includes(one as string) ? (one as string) : whole);
			},
		);
}
