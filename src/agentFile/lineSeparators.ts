import { type Document, isScalar, type Scalar, visit } from 'yaml';

/** Characters that end a line for PyYAML, and so for the hosted service, but are letters like others to `yaml`. They come with texts that are pasted. */
const separator = /[\u0085\u2028\u2029]/;
/** Line ends in a quoted or plain text, with the white space between and after them. */
const lineEnds = /[\n\r\u0085\u2028\u2029][ \t\n\r\u0085\u2028\u2029]*/g;
/** Such characters, with the white space after them. */
const separators = /[\u0085\u2028\u2029]+[ \t]*/g;
/** Escapes of such characters: what stands around these is text. */
const escaped = /\\(?:[NLP]|x85|u0085|u202[89])/;

/** Whether a text holds such a character. */
export function hasSeparators(text: string): boolean {
	return separator.test(text);
}

/**
 * Has scalars that hold such characters say what PyYAML reads in them: white space around one is indentation, as the hosted service's own exports write it.
 * Block texts keep what `yaml` reads: PyYAML refuses most of them (see {@link withoutSeparators}).
 */
export function readSeparators(document: Document, text: string): void {
	if (!hasSeparators(text)) {
		return;
	}
	for (const node of holders(document, text)) {
		const source = sourceOf(node, text);
		if (node.type === 'QUOTE_SINGLE') {
			node.value = folded(source.slice(1, -1).replaceAll("''", "'"));
		} else if (node.type === 'PLAIN') {
			node.value = folded(source);
		} else if (node.type === 'QUOTE_DOUBLE' && !escaped.test(source)) {
			node.value = replaceWithBlanks(node.value as string, separators, each => each.replace(/[ \t]+/, ''));
		}
	}
}

/** The same text in a writing that PyYAML and `yaml` read alike: scalars with such characters in double quotes, with escapes; none in comments. */
export function withoutSeparators(document: Document, text: string): string {
	let written = '';
	let last = 0;
	for (const node of holders(document, text)) {
		const [start, end] = node.range ?? [0, 0];
		const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
		written += `${text.slice(last, start)}${escapedSeparators(JSON.stringify(node.value))}${isBlock ? '\n' : ''}`;
		last = end;
	}
	return (written + text.slice(last)).replaceAll(/[\u0085\u2028\u2029]/g, ' ');
}

/** A writing in double quotes with escapes for such characters. */
function escapedSeparators(quoted: string): string {
	return quoted.replaceAll(/[\u0085\u2028\u2029]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Texts whose writing holds such a character, in their order. */
function holders(document: Document, text: string): Scalar[] {
	const found: Scalar[] = [];
	visit(document, {
		Scalar: (_, node) => {
			if (isScalar(node) && typeof node.value === 'string' && separator.test(sourceOf(node, text))) {
				found.push(node);
			}
		},
	});
	return found;
}

function sourceOf({ range }: Scalar, text: string): string {
	return range ? text.slice(range[0], range[1]) : '';
}

function folded(text: string): string {
	return replaceWithBlanks(text, lineEnds, fold => {
		const [first, ...others] = fold.match(/\r\n|[\n\r\u0085\u2028\u2029]/g)?.map(each => (/[\u2028\u2029]/.test(each) ? each : '\n')) ?? [];
		return `${first === '\n' ? (others.length === 0 ? ' ' : '') : first}${others.join('')}`;
	});
}

/**
 * Replaces what a pattern finds, and drops the blanks before it. The pattern itself begins behind the blanks: one that begins with any number of them takes
 * quadratic time where many blanks lead to nothing.
 */
function replaceWithBlanks(text: string, pattern: RegExp, replaced: (found: string) => string): string {
	let result = '';
	let last = 0;
	for (const { 0: found, index } of text.matchAll(pattern)) {
		let end = index;
		while (end > last && (text[end - 1] === ' ' || text[end - 1] === '\t')) {
			end--;
		}
		result += text.slice(last, end) + replaced(found);
		last = index + found.length;
	}
	return result + text.slice(last);
}
