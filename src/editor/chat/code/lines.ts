/** Splits a text into lines. Accepts any line endings. */
export function splitLines(text: string): string[] {
	return text.split(/\r\n|\r|\n/);
}
