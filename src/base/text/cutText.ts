/**
 * Start of a text with at most this many UTF-16 units, without splitting a surrogate pair, which couldn't be written to a file or sent to a
 * page.
 */
export function cutToLimit(text: string, limit: number): string {
	return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

/** Cuts a text to this many UTF-16 units, ending with an ellipsis if it's longer. */
export function cutText(text: string, limit: number): string {
	return text.length <= limit ? text : `${cutToLimit(text, limit - 1)}…`;
}
