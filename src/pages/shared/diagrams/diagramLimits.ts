/** Limits for the text of one diagram: layout takes more than linear time, and can't be stopped. */
const longest = 8000;
const mostStatements = 200;
/** Maximum number of edges of a flowchart, because one statement can have many. */
export const mostEdges = 150;

/** True if drawing a diagram could block the page for seconds. */
export function isTooLarge(text: string): boolean {
	return text.length > longest || (text.match(/[\n;]/g)?.length ?? 0) >= mostStatements;
}
