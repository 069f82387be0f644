import { CellCount, formatMarkdownTable } from '../markdownTable.ts';
import type { XmlAttributes, XmlHandlers } from './xmlEvents.ts';

/** Maximum number of columns that one cell may span. */
const maxSpan = 100;
/** Elements whose text isn't shown: field codes, deleted text, the old place of moved text, and the fallback form of drawings for older programs. */
const hidden = new Set(['instrText', 'delText', 'delInstrText', 'moveFrom', 'Fallback']);

interface Table {
	readonly rows: string[][];
	cell: string[];
	/** Number of columns of the cell; 0 if a cell before it spans its column. */
	span: number;
}

/** Converts the paragraphs and tables of a Word document or a slide to lines. Both use the same element names (`w:p`, `a:p`). */
export class FlowText implements XmlHandlers {
	readonly #lines: string[] = [];
	readonly #tables: Table[] = [];
	readonly #open: string[] = [];
	readonly #cells = new CellCount();
	/** Open paragraphs. They nest because a paragraph can contain a text box with paragraphs. */
	readonly #paragraphs: string[] = [];
	#hidden = 0;

	openElement(name: string, attributes: XmlAttributes): void {
		const parent = this.#open.at(-1);
		this.#open.push(name);
		const table = this.#tables.at(-1);
		if (hidden.has(name)) {
			this.#hidden++;
		} else if (name === 'p') {
			this.#paragraphs.push('');
		} else if (name === 'br' || name === 'cr') {
			this.#appendToParagraph('\n');
		} else if (name === 'tab' && parent === 'r') {
			this.#appendToParagraph('\t');
		} else if (name === 'tbl') {
			this.#tables.push({ rows: [], cell: [], span: 1 });
		} else if (name === 'tr') {
			table?.rows.push([]);
		} else if (name === 'tc' && table) {
			table.cell = [];
			table.span = isTrue(attributes['hMerge']) ? 0 : parseSpan(attributes['gridSpan']);
		} else if (name === 'gridSpan' && table) {
			table.span = parseSpan(attributes['w:val'] ?? attributes['val']);
		}
	}

	close(name: string): void {
		this.#open.pop();
		const table = this.#tables.at(-1);
		if (hidden.has(name)) {
			this.#hidden--;
		} else if (name === 'p') {
			this.#addParagraph(this.#paragraphs.pop() ?? '');
		} else if (name === 'tc' && table) {
			// a cell that spans columns is repeated in each, as in the hosted service
			this.#cells.add(table.span);
			table.rows.at(-1)?.push(...Array<string>(table.span).fill(table.cell.join('\n')));
		} else if (name === 'tbl' && table) {
			this.#tables.pop();
			this.#addTable(table.rows);
		}
	}

	addText(text: string): void {
		if (this.#open.at(-1) === 't') {
			this.#appendToParagraph(text);
		}
	}

	/** Returns all lines. */
	toText(): string {
		return this.#lines.join('\n').trim();
	}

	#appendToParagraph(text: string): void {
		if (this.#hidden === 0 && this.#paragraphs.length > 0) {
			this.#paragraphs[this.#paragraphs.length - 1] += text;
		}
	}

	#addParagraph(text: string): void {
		(this.#tables.at(-1)?.cell ?? this.#lines).push(text);
	}

	#addTable(rows: readonly string[][]): void {
		const filled = rows.filter(row => row.some(cell => cell.trim() !== ''));
		if (this.#tables.length > 0) {
			this.#addParagraph(filled.map(row => row.join(' ')).join('\n'));
		} else if (filled.length > 0) {
			this.#addParagraph(`${formatMarkdownTable(filled, '<br>')}\n`);
		}
	}
}

function parseSpan(columns: string | undefined): number {
	return Math.min(maxSpan, Math.max(1, Math.trunc(Number(columns ?? 1)) || 1));
}

function isTrue(attribute: string | undefined): boolean {
	return attribute === '1' || attribute === 'true';
}
