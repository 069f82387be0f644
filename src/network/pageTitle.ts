/** Number of characters of a page to search. Limited because services choose the page. */
const searched = 8192;

/**
 * Returns the title of an HTML page on one line. Returns undefined if the title is missing, or cut off, because it could then end with part
 * of a key.
 */
export function findPageTitle(page: string): string | undefined {
	const title = /<title(?:\s[^<>]{0,200})?>([^<]+)</i.exec(page.slice(0, searched))?.[1];
	return title?.trim().replace(/\s+/g, ' ') || undefined;
}
