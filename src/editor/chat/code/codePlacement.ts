import { type CodeSection, findBlocks, getIndent } from './codeBlocks.ts';

/**
 * Returns the lines of a file with a snippet merged in. Each function, class, section or key of the snippet replaces the one with the same
 * name. If none matches, replaces the lines between the snippet's first and last line. Returns `undefined` if the file has no match or
 * more than one. `language` is VS Code's language ID.
 */
export function placeSnippet(file: readonly string[], snippet: readonly string[], language: string): string[] | undefined {
	return placeBlocks(file, snippet, language) ?? placeBetweenLines(file, snippet);
}

function placeBlocks(file: readonly string[], snippet: readonly string[], language: string): string[] | undefined {
	const blocks = findBlocks(file, language);
	const wanted = findBlocks(snippet, language);
	const outer = filterOutermostBlocks(wanted);
	const sameBlock = createBlockFinder(blocks);
	const found = outer.map(sameBlock);
	const between = outer.some((block, at) => hasText(snippet, at === 0 ? 0 : outer[at - 1]!.to, block.from));
	const after = hasText(snippet, outer.at(-1)?.to ?? 0, snippet.length);
	if (found.every(block => block === undefined) || between || after) {
		return undefined;
	}
	const edits: Edit[] = [];
	const first = found.find(each => each !== undefined) as CodeSection;
	let before: CodeSection | undefined;
	outer.forEach((block, at) => {
		const lines = snippet.slice(block.from, block.to);
		const old = found[at];
		if (old) {
			// keep the comments and decorators of the old block if the snippet has none
			const from = block.from === block.head ? old.head : old.from;
			edits.push({ from, to: old.to, lines: reindentLines(lines, file[old.head]!, snippet[block.head]!) });
			before = old;
			return;
		}
		// insert a new block after the snippet's previous block, or before its next one
		const near = before ?? first;
		const place = before ? near.to : near.from;
		const indented = reindentLines(lines, file[near.head]!, snippet[block.head]!);
		edits.push({ from: place, to: place, lines: before ? ['', ...indented] : [...indented, ''] });
	});
	return applyEdits(file, edits);
}

interface Edit {
	readonly from: number;
	readonly to: number;
	readonly lines: readonly string[];
}

/** Applies edits to the lines of a file. Returns `undefined` if two of the edits overlap. */
function applyEdits(file: readonly string[], edits: readonly Edit[]): string[] | undefined {
	const sorted = edits.toSorted((a, b) => a.from - b.from);
	const parts: (readonly string[])[] = [];
	let at = 0;
	for (const { from, to, lines } of sorted) {
		if (from < at) {
			return undefined;
		}
		parts.push(file.slice(at, from), lines);
		at = to;
	}
	return [...parts, file.slice(at)].flat();
}

/** Drops blocks that are inside another one. */
function filterOutermostBlocks(blocks: readonly CodeSection[]): CodeSection[] {
	let end = 0;
	return blocks.filter(({ to }) => {
		const isOuter = to > end;
		end = Math.max(end, to);
		return isOuter;
	});
}

/** Returns a function that finds the only block with the same first line, or else the only one of the same kind and name. */
function createBlockFinder(blocks: readonly CodeSection[]): (block: CodeSection) => CodeSection | undefined {
	const byLine = Map.groupBy(blocks, ({ line }) => line);
	const byName = Map.groupBy(blocks, ({ name }) => name);
	return ({ line, name }) => {
		const same = byLine.get(line) ?? byName.get(name) ?? [];
		return same.length === 1 ? same[0] : undefined;
	};
}

/** Replaces the lines between the snippet's first and last line if the file contains each of them once. */
function placeBetweenLines(file: readonly string[], snippet: readonly string[]): string[] | undefined {
	const filled = snippet.flatMap((line, at) => (line.trim() === '' ? [] : [at]));
	const [first, last] = [filled[0], filled.at(-1)];
	if (first === undefined || last === undefined || first === last) {
		return undefined;
	}
	const from = findOnlyLine(file, snippet[first]!);
	const to = findOnlyLine(file, snippet[last]!);
	return from === undefined || to === undefined || to <= from
		? undefined
		: [...file.slice(0, from), ...reindentLines(snippet.slice(first, last + 1), file[from]!, snippet[first]!), ...file.slice(to + 1)];
}

function findOnlyLine(file: readonly string[], line: string): number | undefined {
	const found = file.flatMap((each, at) => (each.trim() === line.trim() ? [at] : []));
	return found.length === 1 ? found[0] : undefined;
}

function hasText(lines: readonly string[], from: number, to: number): boolean {
	return lines.slice(from, to).some(line => line.trim() !== '');
}

/** Reindents lines so that the line `from` gets the indentation of `to`. */
function reindentLines(lines: readonly string[], to: string, from: string): string[] {
	const [wanted, given] = [getIndent(to), getIndent(from)];
	return lines.map(line => {
		if (line.trim() === '') {
			return '';
		}
		return line.startsWith(given) ? wanted + line.slice(given.length) : line;
	});
}
