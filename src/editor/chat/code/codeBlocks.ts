/** A function, a class, a section or the value of a key, by its lines. */
export interface CodeSection {
	/** Kind and name, such as `definition greet`. */
	readonly name: string;
	/** The first line of the block itself, trimmed. */
	readonly line: string;
	/** Index of that line; comments and decorators above it belong to the block. */
	readonly head: number;
	readonly from: number;
	/** Index after the last line. */
	readonly to: number;
}

const definition =
	/^(?:(?:export|default|declare|abstract|async|public|private|protected|internal|static|final|override|unsafe|pub(?:\([^)]*\))?)\s+)*(?:function\*?|class|interface|enum|type|def|fn|func|fun|struct|trait|impl|module|namespace|const|let|var|val)\s+(?:\([^)]*\)\s*)?([\w$.]+)/;
const control = /^(?:if|for|while|switch|catch|with|else|do|try|return|function)\b/;
const heading = /^(#{1,6})\s+(\S.*)$/;
const key = /^(?:- )?(["']?)([\w.-]+)\1:(?:\s|$)/;
/** What stands above a definition and belongs to it: comments, decorators, attributes. */
const above = /^(?:\/\/|\/\*|\*|#|@|--|\[\w)/;
const closing = /^(?:[}\])][}\]);,]*|end)$/;

/** Longer lines are no heads of blocks, but minified code and data. */
const longestLine = 1000;

/** The blocks of a text, those inside of others too, in their order: the sections of Markdown, or what other languages define. */
export function blocksOf(lines: readonly string[], language: string): CodeSection[] {
	return language === 'markdown' ? sectionsOf(lines) : definitionsOf(lines);
}

/** A section ends before the next heading of its level. */
function sectionsOf(lines: readonly string[]): CodeSection[] {
	const heads = lines.flatMap((line, head) => {
		const [, marks, title] = (line.length <= longestLine && heading.exec(line)) || [];
		return marks === undefined ? [] : [{ head, level: marks.length, name: `heading ${title?.trimEnd()}` }];
	});
	return heads.map(({ head, level, name }, at) => {
		let next = at + 1;
		while (next < heads.length && heads[next]!.level > level) {
			next++;
		}
		return { name, line: lines[head]!.trim(), head, from: head, to: withoutBlank(lines, head, heads[next]?.head ?? lines.length) };
	});
}

function definitionsOf(lines: readonly string[]): CodeSection[] {
	let last = -1;
	return lines.flatMap((line, head): CodeSection[] => {
		const name = line.length <= longestLine ? nameOf(line.trim()) : undefined;
		if (name === undefined) {
			return [];
		}
		const from = beginningOf(lines, head, last);
		last = head;
		return [{ name, line: line.trim(), head, from, to: endOf(lines, head) }];
	});
}

/** White space at the start of a line. */
export function indentOf(line: string): string {
	return /^\s*/.exec(line)?.[0] ?? '';
}

function nameOf(text: string): string | undefined {
	const defined = definition.exec(text)?.[1] ?? (control.test(text) ? undefined : methodOf(text));
	if (defined !== undefined) {
		return `definition ${defined}`;
	}
	const named = key.exec(text)?.[2];
	return named === undefined ? undefined : `key ${named}`;
}

/** The name in a line such as `private async open(path: string): void {`. */
function methodOf(text: string): string | undefined {
	const end = text.lastIndexOf(')');
	if (end < 0 || !text.endsWith('{') || text.includes(';') || text.includes('=', end)) {
		return undefined;
	}
	const words = text.slice(0, text.indexOf('(')).trim().split(/\s/);
	const name = words.pop() ?? '';
	return /^[\w$#~]+$/.test(name) && words.every(word => /^[\w$<>[\],.*&?]*$/.test(word)) ? name : undefined;
}

/** @param last index of the head before, which is no comment above this one even if it looks like one, as in `#open() {` */
function beginningOf(lines: readonly string[], head: number, last: number): number {
	const indent = indentOf(lines[head]!);
	let from = head;
	while (from > last + 1 && indentOf(lines[from - 1]!).startsWith(indent) && above.test(lines[from - 1]!.trim())) {
		from--;
	}
	return from;
}

/** A block ends after what is indented further than its head, and the line that closes it. */
function endOf(lines: readonly string[], head: number): number {
	const indent = indentOf(lines[head]!).length;
	let to = head + 1;
	while (to < lines.length && (lines[to]!.trim() === '' || indentOf(lines[to]!).length > indent)) {
		to++;
	}
	const isClosed = to < lines.length && indentOf(lines[to]!).length === indent && closing.test(lines[to]!.trim());
	return isClosed ? to + 1 : withoutBlank(lines, head, to);
}

/** The end of a block without the blank lines after it. */
function withoutBlank(lines: readonly string[], head: number, end: number): number {
	let to = end;
	while (to > head + 1 && lines[to - 1]!.trim() === '') {
		to--;
	}
	return to;
}
