/** Number of characters of a page to search: services choose the page, and it may be long. */
const searched = 8192;

/**
 * Returns the complete title of an HTML page, on one line; undefined if it's missing or cut off, because it could end with part of a key.
 */
export function findPageTitle(page: string): string | undefined {
	const title = /<title(?:\s[^<>]{0,200})?>([^<]+)</i.exec(page.slice(0, searched))?.[1];
	return title?.trim().replace(/\s+/g, ' ') || undefined;
}
