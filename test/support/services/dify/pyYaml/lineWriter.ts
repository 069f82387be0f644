import type { ScalarStyle } from './scalarStyles.ts';

const width = 80;
const breaks = '\n\u0085\u2028\u2029';
const escapes: Record<string, string> = {
	'\0': '0',
	'\x07': 'a',
	'\b': 'b',
	'\t': 't',
	'\n': 'n',
	'\v': 'v',
	'\f': 'f',
	'\r': 'r',
	'\x1b': 'e',
	'"': '"',
	'\\': '\\',
	'\u0085': 'N',
	'\u00a0': '_',
	'\u2028': 'L',
	'\u2029': 'P',
};

/** Folds lines as PyYAML's emitter does once they exceed 80 columns. A column is a code point. */
export class LineWriter {
	text = '';
	indent = 0;
	/** True if the line has only indentation and block indicators so far. */
	indention = true;
	#column = 0;
	#whitespace = true;

	/** Writes an indicator such as `-`, `:` or a quote. */
	writeIndicator(sign: string, more: { readonly space?: boolean; readonly whitespace?: boolean; readonly indention?: boolean } = {}): void {
		this.#writeText(this.#whitespace || !more.space ? sign : ` ${sign}`);
		this.#whitespace = more.whitespace ?? false;
		this.indention &&= more.indention ?? false;
	}

	/** Moves to the indentation of this block, on a new line if needed. */
	startBlockLine(): void {
		if (!this.indention || this.#column > this.indent || (this.#column === this.indent && !this.#whitespace)) {
			this.breakLine();
		}
		if (this.#column < this.indent) {
			this.#writeText(' '.repeat(this.indent - this.#column));
			this.#whitespace = true;
		}
	}

	breakLine(sign = '\n'): void {
		this.text += sign;
		this.#column = 0;
		this.#whitespace = true;
		this.indention = true;
	}

	writeScalar(text: string, style: ScalarStyle, split: boolean): void {
		const characters = Array.from(text);
		if (style === 'plain') {
			this.#writeFolded(characters, split, style);
		} else if (style === 'single') {
			this.writeIndicator("'", { space: true });
			this.#writeFolded(characters, split, style);
			this.writeIndicator("'");
		} else {
			this.writeIndicator('"', { space: true });
			this.#writeEscaped(characters, split);
			this.writeIndicator('"');
		}
	}

	#writeText(piece: string): void {
		this.text += piece;
		this.#column += Array.from(piece).length;
	}

	/** Writes the words, spaces and line breaks of a plain or single-quoted string. */
	#writeFolded(text: readonly string[], split: boolean, style: 'plain' | 'single'): void {
		if (style === 'plain' && text.length > 0 && !this.#whitespace) {
			this.#writeText(' ');
		}
		this.#whitespace = false;
		this.indention = false;
		let start = 0;
		while (start < text.length) {
			const kind = getCharacterKind(text[start] ?? '');
			let end = start + 1;
			while (end < text.length && getCharacterKind(text[end] ?? '') === kind) {
				end += 1;
			}
			if (kind === 'breaks') {
				this.#writeLineBreaks(text.slice(start, end));
			} else if (
				kind === 'spaces' &&
				end === start + 1 &&
				this.#column > width &&
				split &&
				(style === 'plain' || (start > 0 && end < text.length))
			) {
				this.startBlockLine();
				this.#whitespace = false;
				this.indention = false;
			} else {
				const piece = text.slice(start, end).join('');
				this.#writeText(style === 'single' ? piece.replaceAll("'", "''") : piece);
			}
			start = end;
		}
	}

	#writeLineBreaks(signs: readonly string[]): void {
		if (signs[0] === '\n') {
			this.breakLine();
		}
		for (const sign of signs) {
			this.breakLine(sign);
		}
		this.startBlockLine();
	}

	#writeEscaped(text: readonly string[], split: boolean): void {
		let start = 0;
		const flushText = (end: number) => {
			if (start < end) {
				this.#writeText(text.slice(start, end).join(''));
				start = end;
			}
		};
		for (let end = 0; end <= text.length; end += 1) {
			const each = text[end];
			if (each === undefined || !isPrintable(each)) {
				flushText(end);
				if (each !== undefined) {
					this.#writeText(escapeCharacter(each));
					start = end + 1;
				}
			}
			if (end > 0 && end < text.length - 1 && (each === ' ' || start >= end) && this.#column + (end - start) > width && split) {
				const piece = text.slice(start, end).join('');
				start = Math.max(start, end);
				this.#writeText(`${piece}\\`);
				this.startBlockLine();
				this.#whitespace = false;
				this.indention = false;
				if (text[start] === ' ') {
					this.#writeText('\\');
				}
			}
		}
	}
}

function getCharacterKind(each: string): 'spaces' | 'breaks' | 'words' {
	return each === ' ' ? 'spaces' : breaks.includes(each) ? 'breaks' : 'words';
}

function isPrintable(each: string): boolean {
	const code = each.codePointAt(0) ?? 0;
	const printable = (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd);
	return printable && !'"\\\u0085\u2028\u2029\ufeff'.includes(each);
}

function escapeCharacter(each: string): string {
	const code = each.codePointAt(0) ?? 0;
	const toHex = (length: number) => code.toString(16).toUpperCase().padStart(length, '0');
	return `\\${escapes[each] ?? (code <= 0xff ? `x${toHex(2)}` : code <= 0xffff ? `u${toHex(4)}` : `U${toHex(8)}`)}`;
}
