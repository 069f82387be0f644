/** A file with a position that a text mentions: its range in the text. */
interface FileReference {
	readonly start: number;
	readonly end: number;
}

/** A line, for example `:12`, `:12:3`, `:12-20`, `(12,3)`, `#L12` or `#L12-L20`. */
const position = /:\d{1,7}(?:[:-]\d{1,7})?|\(\d{1,7}(?:, ?\d{1,7})?\)|#L\d{1,7}(?:-L?\d{1,7})?/g;
const pathCharacter = /[\p{L}\p{N}_@.+\-/\\]/u;
/** Maximum length of a path. A longer one would make each position of a long word search back through all of it. */
const longestPath = 260;
/** Maximum number of references in a text, because each becomes a control. */
const mostReferences = 500;

/** Endings of files that have lines. Others could be hosts with ports, such as `example.com:443`. */
const extensions = new Set(
	(
		'ts tsx mts cts js jsx mjs cjs json jsonc py pyi ipynb rb rs go java kt kts scala swift c h cc cpp cxx hpp hh cs fs vb m mm php pl lua r jl dart ' +
		'ex exs erl hs clj elm sql sh bash zsh fish ps1 bat cmd html htm css scss less vue svelte astro md mdx rst txt csv tsv xml yml yaml toml ini cfg ' +
		'conf env lock log gradle cmake mk proto graphql tf nix zig sol jinja j2'
	).split(' '),
);

/** Finds files with a line in a text, such as `src/app.ts:12`. */
export function findFileReferences(text: string): FileReference[] {
	const found: FileReference[] = [];
	for (const match of text.matchAll(position)) {
		if (found.length === mostReferences) {
			break;
		}
		const end = match.index;
		const least = Math.max(found.at(-1)?.end ?? 0, end - longestPath);
		let start = end;
		while (start > least && pathCharacter.test(text[start - 1] ?? '')) {
			start--;
		}
		const path = text.slice(start, end);
		const dot = path.lastIndexOf('.');
		const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
		if (dot > 0 && name !== path.slice(dot) && extensions.has(path.slice(dot + 1).toLowerCase()) && !path.startsWith('//')) {
			found.push({ start, end: end + match[0].length });
		}
	}
	return found;
}
