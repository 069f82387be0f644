/** Limits for the text of one diagram: layout takes more than linear time, and can't be stopped. */
const longest = 8000;
const mostStatements = 150;
/** Of lists in one statement. */
const mostItems = 500;
/** Maximum number of edges of a flowchart, because one statement can have many. */
export const mostEdges = 150;

/** True if drawing a diagram could block the page for seconds. */
export function isTooLarge(text: string): boolean {
	const count = (separator: RegExp) => text.match(separator)?.length ?? 0;
	return text.length > longest || count(/[\n;&]/g) >= mostStatements || count(/,/g) >= mostItems;
}
