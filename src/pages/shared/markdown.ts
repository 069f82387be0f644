import MarkdownIt from 'markdown-it';

const md = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false });

/** State that the blocks of one text share: the link reference definitions (`references`) seen so far. */
export type MarkdownEnv = NonNullable<Parameters<typeof md.parse>[1]>;

/** Class of the link that stands for an image until it is clicked. */
export const remoteImageClass = 'remoteImage';

/** Class of the link that names a file, with its path as title. */
export const fileLinkClass = 'fileLink';

// only addresses that say so themselves: "readme.md" is a file here, not a site in Moldova
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// nor addresses without a scheme: thousands of them take the linkifier quadratic time
md.linkify.add('//', null);

// An image is a link until a user asks for it: loading it would tell its server that this text was read
md.renderer.rules['image'] = (tokens, index) => {
	const token = tokens[index];
	const label = md.utils.escapeHtml(token?.content ?? '');
	const source = md.utils.escapeHtml(String(token?.attrGet('src') ?? ''));
	return `<a class="${remoteImageClass}" href="${source}">${label}</a>`;
};

// What names no site names a file of the workspace: the page has nowhere to go with it, the editor has
md.renderer.rules['link_open'] = (tokens, index, options, _env, self) => {
	const token = tokens[index];
	const href = String(token?.attrGet('href') ?? '');
	if (token && isFilePath(href)) {
		token.attrs = [
			['class', fileLinkClass],
			['title', decoded(href)],
		];
	}
	return self.renderToken(tokens, index, options);
};

function isFilePath(href: string): boolean {
	return href !== '' && !/^(?:#|\/\/)/.test(href) && (!/^[a-z][a-z\d+.-]*:/i.test(href) || /^[\w.-]+\.\w+:\d+(?:-\d+)?$/.test(href));
}

function decoded(href: string): string {
	try {
		return decodeURI(href);
	} catch {
		return href;
	}
}

md.renderer.rules['table_open'] = () => '<div class="tableFrame"><table>';
md.renderer.rules['table_close'] = () => '</table></div>';

// Task lists: "[ ]" and "[x]" at the beginning of a list item
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

/** HTML of a text. Raw HTML in it comes out as text; it must still pass the sanitizer. */
export function markdownHtml(text: string, env: MarkdownEnv = {}): string {
	return md.renderer.render(md.parse(text, env), md.options, env);
}

/**
 * What one block may cost: a reply can be made so that a few kilobytes of it hold up the page for a minute. `tokens`: of the parser, each an
 * element or a text. `depth`: of formatting inside formatting, and so of elements.
 */
const blockBudget = { tokens: 20_000, depth: 100 };

/** A top-level block. */
export interface MarkdownBlock {
	/** What it was made from. */
	readonly source: string;
	/** It must still pass the sanitizer; of a block that is shown as it was written, that text, escaped. */
	readonly html: string;
	/** What it holds, if it is nothing but code: text, for which nothing has to be parsed and sanitised. */
	readonly code: MarkdownCode | undefined;
	/** It is shown as it was written, for rendering it would cost too much, or fails. */
	readonly plain: boolean;
	/** Tokens of the parser: what it costs to show it. The budget of a block where it was too dear. */
	readonly tokens: number;
}

/** Code as it was written, without the line end that closes its last line, and the name of its language, empty where it has none. */
export interface MarkdownCode {
	readonly text: string;
	readonly language: string;
}

/** The block that a text is; a text that cannot be rendered, or that costs too much, is a block that is shown as it was written. */
export function markdownBlock(text: string, env: MarkdownEnv): MarkdownBlock {
	try {
		const tokens = md.parse(text, env);
		const { count, depth } = weightOf(tokens);
		if (count > blockBudget.tokens || depth > blockBudget.depth) {
			return plainBlock(text, blockBudget.tokens);
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
		return plainBlock(text, 1);
	}
}

/** A block that is shown as it was written. */
export function plainBlock(text: string, tokens: number): MarkdownBlock {
	return { source: text, html: md.utils.escapeHtml(text), code: undefined, plain: true, tokens };
}

function weightOf(tokens: ReturnType<typeof md.parse>): { count: number; depth: number } {
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

/** Lines at which the top-level blocks of a text begin, and the line after the last of each. Records the text's link references. */
export function blockLines(text: string, env: MarkdownEnv): (readonly [from: number, to: number])[] {
	const tokens: Parameters<typeof md.block.parse>[3] = [];
	md.block.parse(text, md, env, tokens);
	return tokens.flatMap(({ level, nesting, map }) => (level === 0 && nesting >= 0 && map ? [map] : []));
}
