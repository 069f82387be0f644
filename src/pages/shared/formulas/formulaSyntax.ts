import type MarkdownIt from 'markdown-it';

/** Class of an element with a formula as it was written, with its delimiters. */
export const formulaClass = 'formula';
/** Class of a formula on a line of its own. */
export const displayClass = 'display';

type Parser = InstanceType<typeof MarkdownIt>;
type BlockRule = Parameters<Parser['block']['ruler']['before']>[2];
type InlineRule = Parameters<Parser['inline']['ruler']['before']>[2];

/** Opening delimiters with their closing ones, longest first. */
const delimiters: readonly (readonly [open: string, close: string])[] = [
	['$$', '$$'],
	['$', '$'],
	['\\[', '\\]'],
	['\\(', '\\)'],
];

/** Characters and commands that prose in escaped brackets doesn't have, such as `\[1\]`. */
const mathSign = /[\\^_=+<>{}]/;

/** A formula without its delimiters. */
export interface Formula {
	readonly tex: string;
	readonly isDisplay: boolean;
}

/** Removes the delimiters of a formula. */
export function parseFormula(source: string): Formula {
	const [open, close] = delimiters.find(([start]) => source.startsWith(start)) ?? ['', ''];
	const tex = source.slice(open.length, source.length - close.length);
	// GitHub's form $`…`$ protects a formula from other syntax
	const isQuoted = open === '$' && tex.length > 2 && tex.startsWith('`') && tex.endsWith('`');
	return { tex: (isQuoted ? tex.slice(1, -1) : tex).trim(), isDisplay: open === '$$' || open === '\\[' };
}

/** Adds formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. They are rendered as they were written; a view replaces them. */
export function addFormulas(md: Parser): void {
	md.block.ruler.before('fence', 'formulaBlock', parseFormulaBlock, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
	md.inline.ruler.before('escape', 'formula', parseInlineFormula);
	const renderFormula = (source: string) => {
		const isDisplay = source.startsWith('$$') || source.startsWith('\\[');
		return `<span class="${formulaClass}${isDisplay ? ` ${displayClass}` : ''}">${md.utils.escapeHtml(source)}</span>`;
	};
	md.renderer.rules['formula'] = (tokens, index) => renderFormula(tokens[index]?.content ?? '');
	md.renderer.rules['formulaBlock'] = (tokens, index) => {
		const token = tokens[index];
		const source = token?.content ?? '';
		return `<p>${token?.meta?.isOpen ? md.utils.escapeHtml(source) : renderFormula(source)}</p>\n`;
	};
}

/**
 * Parses a formula that starts a line and whose end ends one. At the end of the text, a formula may still be open: it's a block too, so that
 * its lines aren't taken for lists or headings while the text arrives.
 */
const parseFormulaBlock: BlockRule = (state, startLine, endLine, silent) => {
	const first = state.src.slice(getLineStart(state, startLine), state.eMarks[startLine]);
	const close = first.startsWith('$$') ? '$$' : first.startsWith('\\[') ? '\\]' : undefined;
	if (close === undefined || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) {
		return false;
	}
	const lines: string[] = [];
	let isOpen = true;
	let line = startLine;
	for (; isOpen && line < endLine; line++) {
		if (state.isEmpty(line) || (state.sCount[line] ?? 0) < state.blkIndent) {
			break;
		}
		const text = state.src.slice(getLineStart(state, line), state.eMarks[line]).trimEnd();
		const end = text.indexOf(close, line === startLine ? 2 : 0);
		if (end >= 0 ? end + close.length < text.length : line > startLine && text.startsWith('\\[')) {
			return false;
		}
		isOpen = end < 0;
		lines.push(text);
	}
	if (isOpen && (line < endLine || endLine < state.lineMax)) {
		return false;
	}
	if (!silent) {
		const token = state.push('formulaBlock', '', 0);
		token.content = lines.join('\n');
		token.map = [startLine, line];
		token.meta = { isOpen };
		state.line = line;
	}
	return true;
};

function getLineStart(state: Parameters<BlockRule>[0], line: number): number {
	return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

/** Parses a formula inside a paragraph. Searches only up to the next delimiter, so that a text full of delimiters takes linear time. */
const parseInlineFormula: InlineRule = (state, silent) => {
	const { src, pos } = state;
	const pair = delimiters.find(([open]) => src.startsWith(open, pos));
	const end = pair && findFormulaEnd(src, pos, state.posMax, pair);
	if (end === undefined) {
		return false;
	}
	if (!silent) {
		state.push('formula', '', 0).content = src.slice(pos, end);
	}
	state.pos = end;
	return true;
};

function findFormulaEnd(src: string, start: number, most: number, [open, close]: readonly [string, string]): number | undefined {
	const from = start + open.length;
	let at = from;
	while (at < most && !src.startsWith(close, at) && !(open.startsWith('\\') && src.startsWith(open, at))) {
		// a backslash escapes the next character, also a dollar sign
		at += src[at] === '\\' ? 2 : 1;
	}
	const end = at + close.length;
	if (at >= most || end > most || !src.startsWith(close, at)) {
		return undefined;
	}
	const content = src.slice(from, at);
	return content.trim() !== '' && isFormula(content, open, src[start - 1] ?? '', src[end] ?? '') ? end : undefined;
}

/** Tells formulas from prices and escaped brackets. */
function isFormula(content: string, open: string, before: string, after: string): boolean {
	if (open === '$') {
		const isPrice = /^\d[\d.,]*\s+\p{L}{2}/u.test(content) && !mathSign.test(content);
		return !/^\s|\s$/.test(content) && !/[\p{L}\p{N}$\\]/u.test(before) && !/[\p{L}\p{N}$]/u.test(after) && !isPrice;
	}
	return open !== '\\[' || (mathSign.test(content) && !/[([:]/.test(after));
}
