import type MarkdownIt from 'markdown-it';

/** Class of a reference to a footnote, with the footnote's label as title. */
export const footnoteLinkClass = 'footnoteLink';
/** Class of a footnote. */
export const footnoteClass = 'footnote';
/** Class of a footnote's link back to its first reference, with the footnote's label as title. */
export const footnoteBackClass = 'footnoteBack';

type Parser = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Parser['block']['ruler']['before']>[2];
type InlineRule = Parameters<Parser['inline']['ruler']['before']>[2];

/** Footnotes of a text, shared by its blocks. */
interface Footnotes {
	/** Labels that have a footnote. */
	readonly defined: Set<string>;
	/** Numbers of labels in the order of their first reference. */
	readonly numbers: Map<string, number>;
}

export function createFootnotes(): Footnotes {
	return { defined: new Set(), numbers: new Map() };
}

/** Maximum length of a label, in UTF-16 units. A longer one would make each bracket search through the rest of the text. */
const longestLabel = 100;
const definition = /^\[\^([^\]\s[]{1,100})\]:/;
const reference = /^\[\^([^\]\s[]{1,100})\](?!:)/;

/** Adds GitHub's footnotes: `[^label]` refers to the block that starts with `[^label]:`, and is text if there is none. */
export function addFootnotes(md: Parser): void {
	md.block.ruler.before('reference', 'footnote', parseFootnote, { alt: ['paragraph', 'reference'] });
	md.inline.ruler.before('link', 'footnoteLink', parseFootnoteLink);
	const { escapeHtml } = md.utils;
	md.renderer.rules['footnoteLink'] = (tokens, index) => {
		const { label, number } = getMeta(tokens, index);
		return `<sup><a class="${footnoteLinkClass}" title="${escapeHtml(label)}">${number}</a></sup>`;
	};
	md.renderer.rules['footnote_open'] = (tokens, index, _options, env) => {
		const { label } = getMeta(tokens, index);
		// not earlier, because all references before it get their numbers first
		const number = getNumber(getFootnotes(env ?? {}), label);
		return `<div class="${footnoteClass}"><a class="${footnoteBackClass}" title="${escapeHtml(label)}">${number}</a>`;
	};
	md.renderer.rules['footnote_close'] = () => '</div>\n';
}

function getFootnotes(env: object): Footnotes {
	const known: { footnotes?: Footnotes } = env;
	known.footnotes ??= createFootnotes();
	return known.footnotes;
}

/** Returns what a token knows of its footnote. */
function getMeta(tokens: readonly { readonly meta: unknown }[], index: number): { readonly label: string; readonly number: number } {
	return tokens[index]?.meta as ReturnType<typeof getMeta>;
}

function getNumber({ numbers }: Footnotes, label: string): number {
	const number = numbers.get(label) ?? numbers.size + 1;
	numbers.set(label, number);
	return number;
}

/** Parses a footnote: the rest of its line and the indented blocks after it. */
const parseFootnote: BlockRule = (state, startLine, endLine, silent) => {
	const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
	const match = definition.exec(state.src.slice(start, Math.min(start + longestLabel + 5, state.eMarks[startLine] ?? 0)));
	if (!match || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) {
		return false;
	}
	if (silent) {
		return true;
	}
	const label = match[1] ?? '';
	getFootnotes(state.env).defined.add(label);
	const open = state.push('footnote_open', 'div', 1);
	open.meta = { label };
	const saved = [state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] as const;
	const content = start + match[0].length;
	const space = /^[ \t]*/.exec(state.src.slice(content, state.eMarks[startLine]))?.[0].length ?? 0;
	state.bMarks[startLine] = content;
	state.tShift[startLine] = space;
	state.sCount[startLine] = state.blkIndent + 4;
	state.blkIndent += 4;
	state.md.block.tokenize(state, startLine, endLine);
	state.blkIndent -= 4;
	[state.bMarks[startLine], state.tShift[startLine], state.sCount[startLine]] = saved as [number, number, number];
	open.map = [startLine, state.line];
	state.push('footnote_close', 'div', -1);
	return true;
};

const parseFootnoteLink: InlineRule = (state, silent) => {
	const { src, pos, posMax } = state;
	if (!src.startsWith('[^', pos)) {
		return false;
	}
	const match = reference.exec(src.slice(pos, Math.min(pos + longestLabel + 4, posMax)));
	const label = match?.[1];
	const footnotes = getFootnotes(state.env);
	// numbered before it's known to be defined, so that numbers don't change when the definition arrives
	const number = label === undefined ? 0 : getNumber(footnotes, label);
	if (!match || label === undefined || !footnotes.defined.has(label)) {
		return false;
	}
	if (!silent) {
		state.push('footnoteLink', 'a', 0).meta = { label, number };
	}
	state.pos += match[0].length;
	return true;
};
