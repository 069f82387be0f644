/**
 * Returns at most this many UTF-16 units from the start of a text. Doesn't split a surrogate pair, because half of one can't be written to
 * a file or sent to a page.
 */
export function cutToLimit(text: string, limit: number): string {
	return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

/** Shortens a text to this many UTF-16 units. A shortened text ends with an ellipsis. */
export function cutText(text: string, limit: number): string {
	return text.length <= limit ? text : `${cutToLimit(text, limit - 1)}…`;
}
