import { CellCount, markdownTable } from '../markdownTable.ts';
import type { XmlAttributes, XmlHandlers } from './xmlEvents.ts';

/** Most columns that one cell may say it covers. */
const maxSpan = 100;
/** Texts that are not shown: field codes, what was deleted, and the second form of drawings for older programs. */
const hidden = new Set(['instrText', 'delText', 'delInstrText', 'Fallback']);

interface Table {
	readonly rows: string[][];
	cell: string[];
	span: number;
}

/** Paragraphs and tables of the body of a Word document or of a slide, as lines: both name their elements alike (`w:p`, `a:p`). */
export class FlowText implements XmlHandlers {
	readonly #lines: string[] = [];
	readonly #tables: Table[] = [];
	readonly #open: string[] = [];
	readonly #cells = new CellCount();
	/** Paragraphs that are open: one may hold a text box with others. */
	readonly #paragraphs: string[] = [];
	#hidden = 0;

	open(name: string, attributes: XmlAttributes): void {
		const parent = this.#open.at(-1);
		this.#open.push(name);
		const table = this.#tables.at(-1);
		if (hidden.has(name)) {
			this.#hidden++;
		} else if (name === 'p') {
			this.#paragraphs.push('');
		} else if (name === 'br' || name === 'cr') {
			this.#add('\n');
		} else if (name === 'tab' && parent === 'r') {
			this.#add('\t');
		} else if (name === 'tbl') {
			this.#tables.push({ rows: [], cell: [], span: 1 });
		} else if (name === 'tr') {
			table?.rows.push([]);
		} else if (name === 'tc' && table) {
			table.cell = [];
			table.span = Number(attributes['gridSpan'] ?? 1);
		} else if (name === 'gridSpan' && table) {
			table.span = Number(attributes['w:val'] ?? attributes['val'] ?? 1);
		}
	}

	close(name: string): void {
		this.#open.pop();
		const table = this.#tables.at(-1);
		if (hidden.has(name)) {
			this.#hidden--;
		} else if (name === 'p') {
			this.#put(this.#paragraphs.pop() ?? '');
		} else if (name === 'tc' && table) {
			// a cell over several columns is in each of them, as the hosted service has it
			const columns = Math.min(maxSpan, Math.max(1, Math.trunc(table.span) || 1));
			this.#cells.add(columns);
			table.rows.at(-1)?.push(...Array<string>(columns).fill(table.cell.join('\n')));
		} else if (name === 'tbl' && table) {
			this.#tables.pop();
			this.#putTable(table.rows);
		}
	}

	text(text: string): void {
		if (this.#open.at(-1) === 't') {
			this.#add(text);
		}
	}

	/** All lines that came. */
	whole(): string {
		return this.#lines.join('\n').trim();
	}

	#add(text: string): void {
		if (this.#hidden === 0 && this.#paragraphs.length > 0) {
			this.#paragraphs[this.#paragraphs.length - 1] += text;
		}
	}

	#put(text: string): void {
		(this.#tables.at(-1)?.cell ?? this.#lines).push(text);
	}

	#putTable(rows: readonly string[][]): void {
		const filled = rows.filter(row => row.some(cell => cell.trim() !== ''));
		if (this.#tables.length > 0) {
			this.#put(filled.map(row => row.join(' ')).join('\n'));
		} else if (filled.length > 0) {
			this.#put(`${markdownTable(filled, '<br>')}\n`);
		}
	}
}
