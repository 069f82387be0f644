import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from './errors/serviceError.ts';

interface Page<T> {
	readonly data: readonly T[];
	readonly has_more: boolean;
}

/** Items of one page, and the position of the next page, if there is one. */
interface ListPage<T, P> {
	readonly items: readonly T[];
	readonly next: P | undefined;
}

/** Maximum number of pages of one list. Some services have only twenty items per page. */
const mostPages = 10_000;

/**
 * Yields the items of all pages, and each ID only once. A faulty service can claim forever that there are more: this ends at a page without
 * a new item, and rejects with the reason `protocol` after 10,000 pages. All lists with pages must be read with this function.
 */
async function* iteratePages<T, P>(
	first: P,
	fetch: (position: P) => Promise<ListPage<T, P>>,
	getId: (item: T) => string,
): AsyncGenerator<T, void> {
	const seen = new Set<string>();
	let position = first;
	for (let count = 0; count < mostPages; count++) {
		const { items, next } = await fetch(position);
		const before = seen.size;
		for (const item of items) {
			const id = getId(item);
			if (!seen.has(id)) {
				seen.add(id);
				yield item;
			}
		}
		if (next === undefined || seen.size === before) {
			return;
		}
		position = next;
	}
	throw new ServiceError('protocol', localizable`The service's list has more than ${mostPages} pages, the limit for lists.`);
}

/** Returns the items of all pages, see {@link iteratePages}. */
export async function readAllPages<T, P>(...list: Parameters<typeof iteratePages<T, P>>): Promise<T[]> {
	const all: T[] = [];
	for await (const item of iteratePages(...list)) {
		all.push(item);
	}
	return all;
}

/** Yields the items of a list with numbered pages (contract A4). */
export function iteratePagesByNumber<T extends { readonly id: string }>(
	first: number,
	fetch: (page: number) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
	const fetchPage = async (number: number) => {
		const { data, has_more } = await fetch(number);
		return { items: data, next: has_more ? number + 1 : undefined };
	};
	return iteratePages(first, fetchPage, getId);
}

/** Yields the items of pages that start after the previous page's last item (B2). */
export function iteratePagesFrom<T extends { readonly id: string }>(
	last: string | undefined,
	fetch: (last: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
	const fetchPage = async (after: string | undefined) => {
		const { data, has_more } = await fetch(after);
		return { items: data, next: has_more ? data.at(-1)?.id : undefined };
	};
	return iteratePages(last, fetchPage, getId);
}

/** Yields the items of pages that end before the previous page's first item, newest first; each page has its oldest item first. */
export function iteratePagesBefore<T extends { readonly id: string }>(
	first: string | undefined,
	fetch: (first: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
	const fetchPage = async (before: string | undefined) => {
		const { data, has_more } = await fetch(before);
		return { items: data.toReversed(), next: has_more ? data[0]?.id : undefined };
	};
	return iteratePages(first, fetchPage, getId);
}

function getId({ id }: { readonly id: string }): string {
	return id;
}
