/** An item of a list of the graph: whole lines from its dash up to the next item, including comments and blank lines. */
interface CutItem {
	readonly text: string;
	/** Offset in the whole text, in UTF-16 code units. */
	readonly offset: number;
}

/** A list whose items were cut out of the text. */
export interface CutList {
	readonly start: number;
	readonly end: number;
	/** Offset and length of its replacement in the frame. */
	readonly frameStart: number;
	readonly frameLength: number;
	/** Offset of the placeholder value in the frame. */
	readonly mark: number;
	/** Number of spaces before the list's dashes. */
	readonly column: number;
	readonly items: readonly CutItem[];
}

/** A text in parts that can be parsed separately. */
export interface CutText {
	/** The text with one item, {@link standIn}, in place of the items of each list. */
	readonly frame: string;
	/** Lists in the order of the text. */
	readonly lists: readonly CutList[];
}

/** Placeholder for all items of a list. */
export const standIn = 'cut__here';

/**
 * Cuts the nodes and edges of the graph out of an agent file by its lines; `undefined` if they aren't block lists. The lists may turn out
 * not to be the graph's when the frame is parsed. An item can't affect lines outside it except through anchors, because all its lines are
 * indented more than its dash.
 */
export function cutDocument(text: string): CutText | undefined {
	// don't cut texts with lone carriage returns, directives or several documents
	if (hasLoneReturn(text) || /^\uFEFF?(?:%|---|\.\.\.)/m.test(text)) {
		return undefined;
	}
	const lines = new Lines(text);
	const found: Pick<CutList, 'start' | 'end' | 'items'>[] = [];
	if (!lines.seekLine(/^workflow:[ \t]*(?:#.*)?$/, 0) || !lines.seekLine(/^ +graph:[ \t]*(?:#.*)?$/, 1)) {
		return undefined;
	}
	const outer = lines.indent;
	lines.readNextLine();
	lines.skipEmptyLines();
	const inner = lines.indent;
	while (!lines.atEnd && (lines.isEmpty || lines.indent >= inner) && inner > outer) {
		if (lines.indent === inner && /^ *(?:nodes|edges):[ \t]*(?:#.*)?$/.test(lines.line)) {
			lines.readNextLine();
			lines.skipEmptyLines();
			const list = readList(lines, inner);
			if (list === 'tabs') {
				return undefined;
			}
			found.push(...(list ? [list] : []));
		} else {
			lines.readNextLine();
		}
	}
	return found.length > 0 ? createFrame(text, found) : undefined;
}

/** True if a line ends with only a carriage return, which {@link Lines} doesn't split at. */
function hasLoneReturn(text: string): boolean {
	return /\r(?!\n)/.test(text);
}

/** True if the text is a single list item with its dash at a column. */
export function isOneItem(text: string, column: number): boolean {
	if (hasLoneReturn(text)) {
		return false;
	}
	const lines = new Lines(text);
	let isFirst = lines.indent === column && lines.isDash;
	for (lines.readNextLine(); isFirst && !lines.atEnd; lines.readNextLine()) {
		isFirst = lines.isEmpty || lines.indent > column;
	}
	return isFirst;
}

/** Reads the list whose first dash is on the current line, and moves to the line after it. */
function readList(lines: Lines, least: number): Pick<CutList, 'start' | 'end' | 'items'> | 'tabs' | undefined {
	const column = lines.indent;
	if (column < least || !lines.isDash) {
		return undefined;
	}
	const { start } = lines;
	const items: CutItem[] = [];
	let from = start;
	const addItem = () => items.push({ text: lines.text.slice(from, lines.start), offset: from });
	lines.readNextLine();
	while (!lines.atEnd && (lines.isEmpty || lines.indent > column || (lines.indent === column && lines.isDash))) {
		if (lines.indent === column && lines.isDash) {
			addItem();
			from = lines.start;
		}
		lines.readNextLine();
	}
	if (lines.isTab) {
		return 'tabs';
	}
	addItem();
	return { start, end: lines.start, items };
}

function createFrame(text: string, found: readonly Pick<CutList, 'start' | 'end' | 'items'>[]): CutText {
	let frame = '';
	let from = 0;
	const lists = found.map((list): CutList => {
		frame += text.slice(from, list.start);
		from = list.end;
		const frameStart = frame.length;
		const dash = (/^ */.exec(list.items[0]?.text ?? '') ?? [''])[0];
		frame += `${dash}- ${standIn}\n`;
		return { ...list, frameStart, frameLength: frame.length - frameStart, mark: frameStart + dash.length + 2, column: dash.length };
	});
	return { frame: frame + text.slice(from), lists };
}

/** Iterates over the lines of a text. */
class Lines {
	readonly text: string;
	start = 0;
	/** Number of leading spaces. */
	indent = 0;
	/** True if the line is blank or a comment. */
	isEmpty = false;
	/** True if a list item starts on the line. */
	isDash = false;
	/** True if a tab and other text follow the line's leading spaces. */
	isTab = false;
	#end = 0;

	constructor(text: string) {
		this.text = text;
		this.#readLine();
	}

	get atEnd(): boolean {
		return this.start >= this.text.length;
	}

	/** The line without its line break. */
	get line(): string {
		return this.text.slice(this.start, this.#end).trimEnd();
	}

	readNextLine(): void {
		this.start = this.#end;
		this.#readLine();
	}

	/** Moves to the next line that matches, but not past a line with less indentation. */
	seekLine(form: RegExp, least: number): boolean {
		for (; !this.atEnd; this.readNextLine()) {
			if (form.test(this.line)) {
				return true;
			}
			if (least > 0 && !this.isEmpty && this.indent < least && this.start > 0 && !/^workflow:/.test(this.line)) {
				return false;
			}
		}
		return false;
	}

	skipEmptyLines(): void {
		while (!this.atEnd && this.isEmpty) {
			this.readNextLine();
		}
	}

	#readLine(): void {
		const { text, start } = this;
		const lineBreak = text.indexOf('\n', start);
		this.#end = lineBreak < 0 ? text.length : lineBreak + 1;
		let at = start;
		while (text.charCodeAt(at) === 32) {
			at++;
		}
		this.indent = at - start;
		const first = text[at];
		const createRest = () => text.slice(at, this.#end).trim();
		this.isEmpty = at >= this.#end || first === '\n' || first === '#' || ((first === '\r' || first === '\t') && createRest() === '');
		this.isTab = first === '\t' && !this.isEmpty;
		this.isDash = first === '-' && /[ \t\r\n]/.test(text[at + 1] ?? '\n');
	}
}
