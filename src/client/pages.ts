interface Page<T> {
	readonly data: T[];
	readonly has_more: boolean;
}

/**
 * Yields the items of a list with numbered pages (contract A4). Also stops at an empty page, so that a service that always says `has_more`
 * doesn't cause an endless loop.
 */
export async function* iteratePagesByNumber<T>(first: number, fetch: (page: number) => Promise<Page<T>>): AsyncGenerator<T, void> {
	for (let number = first; ; number++) {
		const page = await fetch(number);
		yield* page.data;
		if (!page.has_more || page.data.length === 0) {
			return;
		}
	}
}

/** Yields the items of pages that start after the previous page's last item (B2). */
export async function* iteratePagesFrom<T extends { id: string }>(
	last: string | undefined,
	fetch: (last: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
	for (let after = last; ; ) {
		const page = await fetch(after);
		yield* page.data;
		const next = page.data.at(-1)?.id;
		if (!page.has_more || next === undefined || next === after) {
			return;
		}
		after = next;
	}
}

/** Yields the items of pages that end before the previous page's first item, newest first; each page has its oldest item first. */
export async function* iteratePagesBefore<T extends { id: string }>(
	first: string | undefined,
	fetch: (first: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
	for (let before = first; ; ) {
		const page = await fetch(before);
		yield* page.data.toReversed();
		const next = page.data[0]?.id;
		if (!page.has_more || next === undefined || next === before) {
			return;
		}
		before = next;
	}
}

/** Fetches all pages of a list with page tokens. */
export async function fetchAllPages<P>(
	fetch: (token: string | undefined) => Promise<P>,
	next: (page: P) => string | undefined,
): Promise<P[]> {
	const pages: P[] = [];
	for (let token: string | undefined; ; ) {
		const page = await fetch(token);
		pages.push(page);
		const following = next(page);
		if (!following || following === token) {
			return pages;
		}
		token = following;
	}
}
