/** A range of lines: a function, a class, a Markdown section, or a key with its value. */
export interface CodeSection {
	/** Kind and name, such as `definition greet`. */
	readonly name: string;
	/** First line of the block, without comments and decorators, trimmed. */
	readonly line: string;
	/** Index of {@link line}. The block also includes the comments and decorators above it. */
	readonly head: number;
	readonly from: number;
	/** Index after the last line of the block. */
	readonly to: number;
}

const definition =
	/^(?:(?:export|default|declare|abstract|async|public|private|protected|internal|static|final|override|unsafe|pub(?:\([^)]*\))?)\s+)*(?:function\*?|class|interface|enum|type|def|fn|func|fun|struct|trait|impl|module|namespace|const|let|var|val)\s+(?:\([^)]*\)\s*)?([\w$.]+)/;
const control = /^(?:if|for|while|switch|catch|with|else|do|try|return|function)\b/;
const heading = /^(#{1,6})\s+(\S.*)$/;
const key = /^(?:- )?(["']?)([\w.-]+)\1:(?:\s|$)/;
/** Matches lines above a definition that belong to it: comments, decorators and attributes. */
const above = /^(?:\/\/|\/\*|\*|#|@|--|\[\w)/;
const closing = /^(?:[}\])][}\]);,]*|end)$/;

/** Maximum length of a block's first line. Longer lines are minified code or data. */
const longestLine = 1000;

/** Finds the blocks of a text in order, including nested ones: sections in Markdown, definitions in other languages. */
export function findBlocks(lines: readonly string[], language: string): CodeSection[] {
	return language === 'markdown' ? findSections(lines) : findDefinitions(lines);
}

/** Finds the sections of a Markdown text. Each ends before the next heading of the same or a higher level. */
function findSections(lines: readonly string[]): CodeSection[] {
	const heads = lines.flatMap((line, head) => {
		const [, marks, title] = (line.length <= longestLine && heading.exec(line)) || [];
		return marks === undefined ? [] : [{ head, level: marks.length, name: `heading ${title?.trimEnd()}` }];
	});
	const filled = findFilledEnds(lines);
	return heads.map(({ head, level, name }, at) => {
		let next = at + 1;
		while (next < heads.length && heads[next]!.level > level) {
			next++;
		}
		return { name, line: lines[head]!.trim(), head, from: head, to: filled[heads[next]?.head ?? lines.length]! };
	});
}

function findDefinitions(lines: readonly string[]): CodeSection[] {
	let last = -1;
	const ends = findBlockEnds(lines);
	return lines.flatMap((line, head): CodeSection[] => {
		const name = line.length <= longestLine ? parseBlockName(line.trim()) : undefined;
		if (name === undefined) {
			return [];
		}
		const from = findBlockStart(lines, head, last);
		last = head;
		return [{ name, line: line.trim(), head, from, to: ends[head]! }];
	});
}

/** Returns the whitespace at the start of a line. */
export function getIndent(line: string): string {
	return /^\s*/.exec(line)?.[0] ?? '';
}

function parseBlockName(text: string): string | undefined {
	const defined = definition.exec(text)?.[1] ?? (control.test(text) ? undefined : parseMethodName(text));
	if (defined !== undefined) {
		return `definition ${defined}`;
	}
	const named = key.exec(text)?.[2];
	return named === undefined ? undefined : `key ${named}`;
}

/** Returns the name in a line such as `private async open(path: string): void {`. */
function parseMethodName(text: string): string | undefined {
	const end = text.lastIndexOf(')');
	if (end < 0 || !text.endsWith('{') || text.includes(';') || text.includes('=', end)) {
		return undefined;
	}
	const words = text.slice(0, text.indexOf('(')).trim().split(/\s/);
	const name = words.pop() ?? '';
	return /^[\w$#~]+$/.test(name) && words.every(word => /^[\w$<>[\],.*&?]*$/.test(word)) ? name : undefined;
}

/** @param last index of the previous block's first line, which can look like a comment above this block, such as `#open() {` */
function findBlockStart(lines: readonly string[], head: number, last: number): number {
	const indent = getIndent(lines[head]!);
	let from = head;
	while (from > last + 1 && getIndent(lines[from - 1]!).startsWith(indent) && above.test(lines[from - 1]!.trim())) {
		from--;
	}
	return from;
}

/**
 * Returns the end of the block that each line begins: after all lines that are indented further, and the line that closes it. Takes linear
 * time, because the text can come from a model.
 */
function findBlockEnds(lines: readonly string[]): readonly number[] {
	const indents = lines.map(line => (line.trim() === '' ? Number.POSITIVE_INFINITY : getIndent(line).length));
	const filled = findFilledEnds(lines);
	const ends = lines.map(() => lines.length);
	/** Lines whose blocks haven't ended yet. Each is indented further than the one before. */
	const open: number[] = [];
	for (const [at, indent] of indents.entries()) {
		while (open.length > 0 && indents[open.at(-1)!]! >= indent && indent !== Number.POSITIVE_INFINITY) {
			ends[open.pop()!] = at;
		}
		if (indent !== Number.POSITIVE_INFINITY) {
			open.push(at);
		}
	}
	return ends.map((end, head) => {
		const isClosed = end < lines.length && indents[end] === indents[head] && closing.test(lines[end]!.trim());
		return isClosed ? end + 1 : filled[end]!;
	});
}

/** Returns for each end of a range of lines the end without blank lines. */
function findFilledEnds(lines: readonly string[]): readonly number[] {
	const ends = [0];
	for (const [at, line] of lines.entries()) {
		ends.push(line.trim() === '' ? ends[at]! : at + 1);
	}
	return ends;
}
