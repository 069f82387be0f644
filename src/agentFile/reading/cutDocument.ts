/** An item of a list of the graph: whole lines, from its dash to the next, with the comments and blank lines behind it. */
interface CutItem {
	readonly text: string;
	/** Where it stands in the whole text, in UTF-16 code units. */
	readonly offset: number;
}

/** A list whose items were cut out of a text. */
export interface CutList {
	/** Offsets of its lines in the whole text. */
	readonly start: number;
	readonly end: number;
	/** Where what stands in its place begins in the frame, and its length. */
	readonly frameStart: number;
	readonly frameLength: number;
	/** Offset in the frame of the value that stands for the items. */
	readonly mark: number;
	/** Spaces before its dashes. */
	readonly column: number;
	readonly items: readonly CutItem[];
}

/** A text in pieces that can be read each by itself. */
export interface CutText {
	/** The text with one item, {@link standIn}, in the place of those that were cut out. */
	readonly frame: string;
	/** In the order of the text. */
	readonly lists: readonly CutList[];
}

/** What stands for all items of a list. */
export const standIn = 'cut__here';

/**
 * Cuts the nodes and edges of the graph out of the text of an agent file, by its lines; `undefined` where they are not in lists in lines, one item below the other.
 * It only looks for them: whether what was found is the graph, the frame tells when it is read, for up to an item nothing is different in it. What is in an item reaches nowhere
 * beyond its lines, which all stand further in than its dash, unless it is an anchor.
 */
export function cutDocument(text: string): CutText | undefined {
	// directives and texts of several documents
	if (hasLoneReturn(text) || /^\uFEFF?(?:%|---|\.\.\.)/m.test(text)) {
		return undefined;
	}
	const lines = new Lines(text);
	const found: Pick<CutList, 'start' | 'end' | 'items'>[] = [];
	if (!lines.seek(/^workflow:[ \t]*(?:#.*)?$/, 0) || !lines.seek(/^ +graph:[ \t]*(?:#.*)?$/, 1)) {
		return undefined;
	}
	const outer = lines.indent;
	lines.next();
	lines.skipEmpty();
	const inner = lines.indent;
	while (!lines.atEnd && (lines.isEmpty || lines.indent >= inner) && inner > outer) {
		if (lines.indent === inner && /^ *(?:nodes|edges):[ \t]*(?:#.*)?$/.test(lines.line)) {
			lines.next();
			lines.skipEmpty();
			const list = listAt(lines, inner);
			if (list === 'tabs') {
				return undefined;
			}
			found.push(...(list ? [list] : []));
		} else {
			lines.next();
		}
	}
	return found.length > 0 ? framed(text, found) : undefined;
}

/** Whether a line ends with a carriage return alone, which {@link Lines} doesn't split at. */
function hasLoneReturn(text: string): boolean {
	return /\r(?!\n)/.test(text);
}

/** Whether lines are one item of a list whose dashes stand in a column. */
export function isOneItem(text: string, column: number): boolean {
	if (hasLoneReturn(text)) {
		return false;
	}
	const lines = new Lines(text);
	let isFirst = lines.indent === column && lines.isDash;
	for (lines.next(); isFirst && !lines.atEnd; lines.next()) {
		isFirst = lines.isEmpty || lines.indent > column;
	}
	return isFirst;
}

/** The list whose first dash is on the line, with the line behind it as the next one. */
function listAt(lines: Lines, least: number): Pick<CutList, 'start' | 'end' | 'items'> | 'tabs' | undefined {
	const column = lines.indent;
	if (column < least || !lines.isDash) {
		return undefined;
	}
	const { start } = lines;
	const items: CutItem[] = [];
	let from = start;
	const close = () => items.push({ text: lines.text.slice(from, lines.start), offset: from });
	lines.next();
	while (!lines.atEnd && (lines.isEmpty || lines.indent > column || (lines.indent === column && lines.isDash))) {
		if (lines.indent === column && lines.isDash) {
			close();
			from = lines.start;
		}
		lines.next();
	}
	if (lines.isTab) {
		return 'tabs';
	}
	close();
	return { start, end: lines.start, items };
}

function framed(text: string, found: readonly Pick<CutList, 'start' | 'end' | 'items'>[]): CutText {
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

/** Goes through a text line by line. */
class Lines {
	readonly text: string;
	/** Offset of the line. */
	start = 0;
	/** Spaces that it begins with. */
	indent = 0;
	/** Whether nothing stands on it but a comment. */
	isEmpty = false;
	/** Whether an item of a list begins on it. */
	isDash = false;
	/** Whether a tab stands behind its spaces, and something behind that. */
	isTab = false;
	#end = 0;

	constructor(text: string) {
		this.text = text;
		this.#look();
	}

	get atEnd(): boolean {
		return this.start >= this.text.length;
	}

	/** The line without its break. */
	get line(): string {
		return this.text.slice(this.start, this.#end).trimEnd();
	}

	next(): void {
		this.start = this.#end;
		this.#look();
	}

	/** Goes to a line of a form, not beyond what stands less far in. */
	seek(form: RegExp, least: number): boolean {
		for (; !this.atEnd; this.next()) {
			if (form.test(this.line)) {
				return true;
			}
			if (least > 0 && !this.isEmpty && this.indent < least && this.start > 0 && !/^workflow:/.test(this.line)) {
				return false;
			}
		}
		return false;
	}

	skipEmpty(): void {
		while (!this.atEnd && this.isEmpty) {
			this.next();
		}
	}

	#look(): void {
		const { text, start } = this;
		const lineBreak = text.indexOf('\n', start);
		this.#end = lineBreak < 0 ? text.length : lineBreak + 1;
		let at = start;
		while (text.charCodeAt(at) === 32) {
			at++;
		}
		this.indent = at - start;
		const first = text[at];
		const rest = () => text.slice(at, this.#end).trim();
		this.isEmpty = at >= this.#end || first === '\n' || first === '#' || ((first === '\r' || first === '\t') && rest() === '');
		this.isTab = first === '\t' && !this.isEmpty;
		this.isDash = first === '-' && /[ \t\r\n]/.test(text[at + 1] ?? '\n');
	}
}
