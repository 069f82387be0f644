import { Parser } from 'htmlparser2';
import { NodeError } from '../nodes/nodeError.ts';

/** Elements that start on a new line. */
const blocks = new Set(
	`address article aside blockquote dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table tr
	ul`.split(/\s+/),
);
/** Elements followed by an empty line. */
const paragraphs = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol table pre'.split(' '));
/** Elements of a page whose contents aren't shown. */
const hidden = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head']);
/** Maximum nesting depth. The parser searches all open elements for every tag. */
const maxDepth = 2000;

/**
 * Returns the readable text of an HTML page without markup, scripts or styles. Headings and list items are marked as in Markdown.
 * @param isXhtml true if elements may be self-closing (`<title/>`)
 */
export function readHtmlText(html: string, isXhtml = false): string {
	const text = new PageText();
	const parser = new Parser(
		{
			onopentag: name => text.openElement(name),
			onclosetag: name => text.closeElement(name),
			ontext: data => text.addText(data),
		},
		{ decodeEntities: true, recognizeSelfClosing: isXhtml },
	);
	parser.end(html);
	return text.toText();
}

class PageText {
	readonly #pieces: string[] = [];
	#depth = 0;
	/** Depth of the outermost open hidden element, 0 if there is none. */
	#hiddenAt = 0;
	/** True if the current row already has a finished cell. */
	#cells = false;

	openElement(name: string): void {
		this.#depth++;
		if (this.#depth > maxDepth) {
			throw new NodeError(`The page has more than ${maxDepth} levels of nested elements`, 'TextExtractionError');
		}
		if (name === 'body') {
			this.#hiddenAt = 0;
		}
		if (this.#hiddenAt > 0) {
			return;
		}
		if (hidden.has(name)) {
			this.#hiddenAt = this.#depth;
		} else if (/^h[1-6]$/.test(name)) {
			this.#pieces.push(`\n\n${'#'.repeat(Number(name[1]))} `);
		} else if (name === 'li') {
			this.#pieces.push('\n- ');
		} else if (name === 'br' || blocks.has(name)) {
			this.#pieces.push('\n');
		} else if ((name === 'td' || name === 'th') && this.#cells) {
			this.#trimTrailingSpace();
			this.#pieces.push(' | ');
		}
		this.#cells &&= name !== 'tr';
	}

	closeElement(name: string): void {
		if (this.#hiddenAt === this.#depth) {
			this.#hiddenAt = 0;
		} else if (this.#hiddenAt === 0) {
			if (name === 'td' || name === 'th') {
				this.#cells = true;
			} else if (paragraphs.has(name)) {
				this.#pieces.push('\n\n');
			} else if (blocks.has(name) && name !== 'hr') {
				this.#pieces.push('\n');
			}
		}
		this.#depth--;
	}

	addText(data: string): void {
		if (this.#hiddenAt > 0) {
			return;
		}
		const text = data.replace(/[\t\n\f\r \u00a0]+/g, ' ');
		const before = this.#pieces.at(-1);
		const piece = before === undefined || /\s$/.test(before) ? text.replace(/^ /, '') : text;
		if (piece !== '') {
			this.#pieces.push(piece);
		}
	}

	toText(): string {
		return this.#pieces
			.join('')
			.split('\n')
			.map(line => line.trim())
			.join('\n')
			.replace(/\n{3,}/g, '\n\n')
			.trim();
	}

	#trimTrailingSpace(): void {
		const last = this.#pieces.pop();
		if (last !== undefined) {
			this.#pieces.push(last.endsWith(' ') ? last.slice(0, -1) : last);
		}
	}
}
