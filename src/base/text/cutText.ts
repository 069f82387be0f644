/**
 * The beginning of a text, of at most so many UTF-16 units: no character is cut in two, as half of one cannot be written to a file or sent
 * to a page.
 */
export function beginningOf(text: string, limit: number): string {
	return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

/**
 * A text of at most so many UTF-16 units: itself where it fits, else its beginning with an ellipsis. How much there is, is said by who
 * shows it.
 */
export function cutText(text: string, limit: number): string {
	return text.length <= limit ? text : `${beginningOf(text, limit - 1)}…`;
}
