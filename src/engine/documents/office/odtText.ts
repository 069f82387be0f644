import { NodeError } from '../../nodes/nodeError.ts';
import { CellCount, formatMarkdownTable } from '../markdownTable.ts';
import { Archive } from './archive.ts';
import { readXml, type XmlAttributes, type XmlHandlers } from './xmlEvents.ts';

/** Maximum number of spaces or columns that one element may represent. */
const maxRepeats = 100;
/** Elements whose text isn't shown: deleted text and annotations. */
const hidden = new Set(['tracked-changes', 'annotation']);

/** Returns the text of an OpenDocument text (ODT): headings as in Markdown, an empty line between paragraphs, tables as Markdown. */
export function readOdtText(bytes: Uint8Array): string {
	const archive = new Archive(bytes);
	const encrypted = [...archive.readFiles(name => name === 'META-INF/manifest.xml').values()].some(isManifestEncrypted);
	if (encrypted) {
		throw new NodeError('The document has a password. Save it without one.', 'TextExtractionError');
	}
	const text = new OpenDocumentText();
	readXml(archive.readFile('content.xml'), text);
	return text.toText();
}

function isManifestEncrypted(manifest: Uint8Array): boolean {
	let found = false;
	readXml(manifest, {
		openElement(name) {
			found ||= name === 'encryption-data';
		},
	});
	return found;
}

class OpenDocumentText implements XmlHandlers {
	readonly #blocks: string[] = [];
	/** Open tables, outermost first, as rows of cells of paragraphs. */
	readonly #tables: { rows: string[][]; cell: string[]; columns: number }[] = [];
	readonly #cells = new CellCount();
	/** Open paragraphs and headings. They nest because a footnote is inside a paragraph. */
	readonly #open: string[] = [];
	#hidden = 0;
	/** True if a list item was opened and its first paragraph hasn't started yet. */
	#item = false;

	openElement(name: string, attributes: XmlAttributes): void {
		const table = this.#tables.at(-1);
		if (hidden.has(name)) {
			this.#hidden++;
		} else if (name === 'p') {
			this.#open.push(this.#item ? '- ' : '');
			this.#item = false;
		} else if (name === 'h') {
			const level = Math.min(6, Math.max(1, Number(attributes['text:outline-level'] ?? 1) || 1));
			this.#open.push(`${'#'.repeat(level)} `);
		} else if (name === 'list-item') {
			this.#item = true;
		} else if (name === 'line-break') {
			this.#appendToParagraph('\n');
		} else if (name === 'tab') {
			this.#appendToParagraph('\t');
		} else if (name === 's') {
			this.#appendToParagraph(' '.repeat(parseRepeats(attributes['text:c'])));
		} else if (name === 'table') {
			this.#tables.push({ rows: [], cell: [], columns: 1 });
		} else if (name === 'table-row') {
			table?.rows.push([]);
		} else if ((name === 'table-cell' || name === 'covered-table-cell') && table) {
			table.cell = [];
			table.columns = parseRepeats(attributes['table:number-columns-repeated']);
		}
	}

	close(name: string): void {
		const table = this.#tables.at(-1);
		if (hidden.has(name)) {
			this.#hidden--;
		} else if (name === 'p' || name === 'h') {
			this.#addBlock(this.#open.pop() ?? '');
		} else if ((name === 'table-cell' || name === 'covered-table-cell') && table) {
			this.#cells.add(table.columns);
			table.rows.at(-1)?.push(...Array<string>(table.columns).fill(table.cell.join('\n')));
		} else if (name === 'table' && table) {
			this.#tables.pop();
			const filled = table.rows.filter(row => row.some(cell => cell.trim() !== ''));
			this.#addBlock(this.#tables.length > 0 ? filled.map(row => row.join(' ')).join('\n') : formatMarkdownTable(filled, '<br>'));
		}
	}

	addText(text: string): void {
		this.#appendToParagraph(text.replace(/[\t\n\r ]+/g, ' '));
	}

	toText(): string {
		return this.#blocks.join('\n\n');
	}

	#appendToParagraph(text: string): void {
		if (this.#hidden === 0 && this.#open.length > 0) {
			this.#open[this.#open.length - 1] += text;
		}
	}

	#addBlock(text: string): void {
		const block = text.trim();
		if (this.#hidden === 0 && block !== '') {
			(this.#tables.at(-1)?.cell ?? this.#blocks).push(block);
		}
	}
}

function parseRepeats(count: string | undefined): number {
	return Math.min(maxRepeats, Math.max(1, Math.trunc(Number(count ?? 1)) || 1));
}
