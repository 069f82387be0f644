interface Page<T> {
	readonly data: T[];
	readonly has_more: boolean;
}

/** Items of pages that are counted (A4). Ends at an empty page too: a service that says `has_more` forever must not loop. */
export async function* pagesByNumber<T>(first: number, fetch: (page: number) => Promise<Page<T>>): AsyncGenerator<T, void> {
	for (let number = first; ; number++) {
		const page = await fetch(number);
		yield* page.data;
		if (!page.has_more || page.data.length === 0) {
			return;
		}
	}
}

/** Items of pages that begin after the last item of the page before (B2). */
export async function* pagesFrom<T extends { id: string }>(
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

/** Items of pages that end before the first item of the page before, newest first; within a page the oldest comes first. */
export async function* pagesBefore<T extends { id: string }>(
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

/** All pages of a list that names its next page. */
export async function allPages<P>(fetch: (token: string | undefined) => Promise<P>, next: (page: P) => string | undefined): Promise<P[]> {
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
