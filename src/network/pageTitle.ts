/** Characters of a page in which its title is searched: services choose the page, and it may be long. */
const searched = 8192;

/** The whole title of an HTML page, on one line; undefined if its beginning has none. One that is cut off could end with part of a key. */
export function pageTitle(page: string): string | undefined {
	const title = /<title(?:\s[^<>]{0,200})?>([^<]+)</i.exec(page.slice(0, searched))?.[1];
	return title?.trim().replace(/\s+/g, ' ') || undefined;
}
