import MarkdownIt from 'markdown-it';
import { findFileReferences } from './fileReferences.ts';
import { addFootnotes } from './footnoteSyntax.ts';
import { addFormulas } from './formulas/formulaSyntax.ts';

const md = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false });
md.use(addFormulas);
md.use(addFootnotes);

/** State shared by all blocks of a text: the link reference definitions (`references`) seen so far. */
export type MarkdownEnv = NonNullable<Parameters<typeof md.parse>[1]>;

/** Class of a link that represents an image until it is clicked. */
export const remoteImageClass = 'remoteImage';

/** Class of a link to a file, with its path as title. */
export const fileLinkClass = 'fileLink';

// link only URLs with a scheme: "readme.md" is a file here, not a site in Moldova
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// don't link protocol-relative URLs either: thousands of them take the linkifier quadratic time
md.linkify.add('//', null);

// Images are links until clicked: loading one would tell its server that this text was read
md.renderer.rules['image'] = (tokens, index) => {
	const token = tokens[index];
	const label = md.utils.escapeHtml(token?.content ?? '');
	const source = md.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
	return `<a class="${remoteImageClass}" href="${source}">${label}</a>`;
};

// A link without a site is a file of the workspace, which only the editor can open
md.renderer.rules['link_open'] = (tokens, index, options, _env, self) => {
	const token = tokens[index];
	const href = String(token?.attrGet('href') ?? '');
	if (token && isFilePath(href)) {
		token.attrs = [
			['class', fileLinkClass],
			['title', decodePath(href)],
		];
	}
	return self.renderToken(tokens, index, options);
};

function isFilePath(href: string): boolean {
	return href !== '' && !/^(?:#|\/\/)/.test(href) && (!/^[a-z][a-z\d+.-]*:/i.test(href) || /^[\w.-]+\.\w+:\d+(?:-\d+)?$/.test(href));
}

function decodePath(href: string): string {
	try {
		return decodeURI(href);
	} catch {
		return href;
	}
}

md.renderer.rules['table_open'] = () => '<div class="tableFrame"><table>';
md.renderer.rules['table_close'] = () => '</table></div>';

// Task lists: "[ ]" and "[x]" at the start of a list item
md.core.ruler.after('inline', 'tasks', state => {
	for (const [index, token] of state.tokens.entries()) {
		const inItem =
			token.type === 'inline' && state.tokens[index - 1]?.type === 'paragraph_open' && state.tokens[index - 2]?.type === 'list_item_open';
		const text = inItem ? token.children?.[0] : undefined;
		const mark = text?.type === 'text' ? /^\[([ xX])\] /.exec(text.content) : null;
		if (text && mark) {
			text.content = text.content.slice(mark[0].length);
			const box = new state.Token('task', '', 0);
			box.meta = { done: mark[1] !== ' ' };
			token.children?.unshift(box);
			state.tokens[index - 2]?.attrJoin('class', 'task');
		}
	}
});
md.renderer.rules['task'] = (tokens, index) => (tokens[index]?.meta?.done ? '☑ ' : '☐ ');

// Files with a line, such as "src/app.ts:12", in text and as inline code
md.core.ruler.push('fileReferences', state => {
	for (const token of state.tokens) {
		if (token.children?.some(({ content }) => /[.]\w+[:(#]/.test(content))) {
			token.children = linkFileReferences(token.children, state.Token);
		}
	}
});

type Tokens = NonNullable<ReturnType<typeof md.parse>[number]['children']>;
type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Tokens[number];

/** Links the file references in text and code, except inside links. */
function linkFileReferences(tokens: Tokens, Token: TokenClass): Tokens {
	let inLink = 0;
	return tokens.flatMap(token => {
		inLink += token.type === 'link_open' ? 1 : token.type === 'link_close' ? -1 : 0;
		const { content, type } = token;
		if (inLink > 0 || (type !== 'text' && type !== 'code_inline')) {
			return [token];
		}
		const references = findFileReferences(content);
		if (type === 'code_inline') {
			const [reference] = references;
			return reference?.start === 0 && reference.end === content.length ? createFileLink(token, content, Token) : [token];
		}
		let end = 0;
		const createText = (text: string) => (text ? [Object.assign(new Token('text', '', 0), { content: text })] : []);
		const parts = references.flatMap(reference => {
			const before = createText(content.slice(end, reference.start));
			end = reference.end;
			const path = content.slice(reference.start, end);
			return [...before, ...createText(path).flatMap(text => createFileLink(text, path, Token))];
		});
		return parts.length > 0 ? [...parts, ...createText(content.slice(end))] : [token];
	});
}

function createFileLink(token: Tokens[number], path: string, Token: TokenClass): Tokens {
	const attrs: [string, string][] = [
		['class', fileLinkClass],
		['title', path],
	];
	return [Object.assign(new Token('link_open', 'a', 1), { attrs }), token, new Token('link_close', 'a', -1)];
}

/** Renders a text as HTML. Raw HTML in it is escaped; the result must still be sanitized. */
export function renderMarkdown(text: string, env: MarkdownEnv = {}): string {
	return md.renderer.render(md.parse(text, env), md.options, env);
}

/**
 * Limits for one block, because a few kilobytes of a reply can be crafted to block the page for a minute. `tokens`: number of parser
 * tokens, each an element or a text. `depth`: nesting of inline formatting, and so of elements.
 */
const blockBudget = { tokens: 20_000, depth: 100 };

/** A top-level block. */
export interface MarkdownBlock {
	/** The Markdown source. */
	readonly source: string;
	/** HTML, which must still be sanitized; for a plain block, its escaped source. */
	readonly html: string;
	/** The code if the block is only code, which needs no parsing and sanitizing. */
	readonly code: MarkdownCode | undefined;
	/** True if the source is shown as is, because rendering it is too expensive or fails. */
	readonly plain: boolean;
	/** Number of parser tokens, as a measure of the rendering cost. For a block that exceeded the limit, the limit. */
	readonly tokens: number;
}

/** Code without the line break that ends its last line, and its language, which may be empty. */
export interface MarkdownCode {
	readonly text: string;
	readonly language: string;
}

/** Creates a block from a text; a plain one if it can't be rendered or is too expensive. */
export function createMarkdownBlock(text: string, env: MarkdownEnv): MarkdownBlock {
	try {
		const tokens = md.parse(text, env);
		const { count, depth } = measureTokens(tokens);
		if (count > blockBudget.tokens || depth > blockBudget.depth) {
			return createPlainBlock(text, blockBudget.tokens);
		}
		const only = tokens.length === 1 ? tokens[0] : undefined;
		const isCode = only?.type === 'fence' || only?.type === 'code_block';
		return {
			source: text,
			html: md.renderer.render(tokens, md.options, env),
			code: isCode
				? { text: only.content.replace(/\n$/, ''), language: md.utils.unescapeAll(only.info).trim().split(/\s/, 1)[0] ?? '' }
				: undefined,
			plain: false,
			tokens: count,
		};
	} catch {
		return createPlainBlock(text, 1);
	}
}

/** Creates a block that shows its source as is. */
export function createPlainBlock(text: string, tokens: number): MarkdownBlock {
	return { source: text, html: md.utils.escapeHtml(text), code: undefined, plain: true, tokens };
}

function measureTokens(tokens: ReturnType<typeof md.parse>): { count: number; depth: number } {
	let count = tokens.length;
	let depth = 0;
	for (const { children } of tokens) {
		let level = 0;
		for (const { nesting } of children ?? []) {
			level += nesting;
			depth = Math.max(depth, level);
		}
		count += children?.length ?? 0;
	}
	return { count, depth };
}

/** Returns the ranges of lines of top-level blocks, and records the link references of the text in `env`. */
export function parseBlockLines(text: string, env: MarkdownEnv): (readonly [from: number, to: number])[] {
	const tokens: Parameters<typeof md.block.parse>[3] = [];
	md.block.parse(text, md, env, tokens);
	return tokens.flatMap(({ level, nesting, map }) => (level === 0 && nesting >= 0 && map ? [map] : []));
}
