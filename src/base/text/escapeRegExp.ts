/** Escapes a text for a regular expression that matches exactly this text, with or without the flag `i`. */
export function escapeRegExp(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
