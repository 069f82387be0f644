import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type FileScope, isOutsideScope, OutsideScope, resolveInside } from './fileScope.ts';
import { expandBraces, hasWildcards, matchesSegment, PatternError } from './globPattern.ts';

/** Maximum number of directory entries that one search reads. */
const mostNames = 20_000;

/** Folders without user files. */
const skipped = new Set(['node_modules', '.git']);

interface FindOptions {
	readonly signal?: AbortSignal;
	readonly limit?: number;
}

/**
 * Finds the files in a scope that match a path or pattern. Returns sorted absolute paths. Refuses patterns that leave the scope before
 * reading the disk, and doesn't follow links out of it. `**` doesn't follow links to folders, and `*` doesn't match a leading dot.
 *
 * Throws {@link OutsideScope} if all matches are outside the scope, and {@link PatternError} if the pattern covers too many files.
 */
export async function findFilesInScope(
	pattern: string,
	scope: FileScope,
	{ signal, limit = mostNames }: FindOptions = {},
): Promise<string[]> {
	const search = new Search(scope, limit, signal);
	for (const each of expandBraces(pattern.startsWith('\\\\') ? pattern : pattern.replaceAll('\\', '/'))) {
		await search.findFiles(each);
	}
	if (search.files.size === 0 && search.isOutside) {
		throw new OutsideScope(pattern, scope.root);
	}
	return [...search.files].sort();
}

class Search {
	readonly files = new Set<string>();
	/** True if something was found outside the scope. */
	isOutside = false;
	readonly #scope: FileScope;
	readonly #signal: AbortSignal | undefined;
	#left: number;

	constructor(scope: FileScope, limit: number, signal: AbortSignal | undefined) {
		this.#scope = scope;
		this.#left = limit;
		this.#signal = signal;
	}

	async findFiles(pattern: string): Promise<void> {
		const segments = pattern.split('/');
		const magic = segments.findIndex(hasWildcards);
		const start = segments.slice(0, magic < 0 ? undefined : magic).join('/');
		const wildcards = magic < 0 ? [] : segments.slice(magic).filter(each => each !== '' && each !== '.');
		// consecutive `**` match the same files as one, but each would search the whole tree
		const rest = wildcards.filter((each, at) => each !== '**' || wildcards[at - 1] !== '**');
		if (rest.includes('..')) {
			throw new PatternError("'..' is only allowed at the start of the pattern");
		}
		const wanted = start === '' && pattern.startsWith('/') ? '/' : start;
		if (isOutsideScope(wanted, this.#scope)) {
			throw new OutsideScope(pattern, this.#scope.root);
		}
		await this.#walkFolder(path.resolve(this.#scope.folder, wanted), rest, new Set());
	}

	/** @param seen folders already searched for the same remaining pattern */
	async #walkFolder(place: string, [segment, ...rest]: readonly string[], seen: Set<string>): Promise<void> {
		const key = `${rest.length} ${segment} ${place}`;
		if (seen.has(key) || !this.#isAllowedPath(place)) {
			return;
		}
		seen.add(key);
		if (segment === undefined) {
			const found = await stat(place).catch(() => undefined);
			if (found?.isFile()) {
				this.files.add(place);
			}
			return;
		}
		if (segment === '**') {
			await this.#walkFolder(place, rest.length > 0 ? rest : ['*'], seen);
		} else if (!hasWildcards(segment)) {
			await this.#walkFolder(path.join(place, segment), rest, seen);
			return;
		}
		for (const entry of await this.#readEntries(place)) {
			if (segment === '**') {
				if (entry.isDirectory()) {
					await this.#walkFolder(path.join(place, entry.name), [segment, ...rest], seen);
				}
			} else if (matchesSegment(entry.name, segment) && (entry.name[0] !== '.' || segment[0] === '.')) {
				await this.#walkFolder(path.join(place, entry.name), rest, seen);
			}
		}
	}

	/** True if a path exists and is inside the scope, after following links. */
	#isAllowedPath(place: string): boolean {
		try {
			resolveInside(place, this.#scope);
			return true;
		} catch (error) {
			this.isOutside ||= error instanceof OutsideScope;
			return false;
		}
	}

	async #readEntries(folder: string): Promise<Dirent[]> {
		this.#signal?.throwIfAborted();
		const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
		this.#left -= entries.length;
		if (this.#left < 0) {
			throw new PatternError('it covers too many files. Start the pattern with the name of a folder');
		}
		return entries.filter(({ name }) => !skipped.has(name) && name !== '');
	}
}
