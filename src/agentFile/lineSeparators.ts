import { type Document, isScalar, type Scalar, visit } from 'yaml';

/** Characters that end a line for PyYAML and the hosted service, but not for `yaml`. They come from pasted text. */
const separator = /[\u0085\u2028\u2029]/;
/** Line ends in a quoted or plain scalar, with the white space between and after them. */
const lineEnds = /[\n\r\u0085\u2028\u2029][ \t\n\r\u0085\u2028\u2029]*/g;
/** Line separators with the white space after them. */
const separators = /[\u0085\u2028\u2029]+[ \t]*/g;
/** Escape sequences of line separators. White space around them is part of the string. */
const escaped = /\\(?:[NLP]|x85|u0085|u202[89])/;

export function hasSeparators(text: string): boolean {
	return separator.test(text);
}

/**
 * Reads scalars with line separators like PyYAML: white space around a separator is indentation, as in files exported by the hosted
 * service. Block scalars keep the value that `yaml` read, because PyYAML rejects most of them (see {@link replaceSeparators}).
 */
export function readSeparators(document: Document, text: string): void {
	if (!hasSeparators(text)) {
		return;
	}
	for (const node of listAffectedScalars(document, text)) {
		const source = getSource(node, text);
		if (node.type === 'QUOTE_SINGLE') {
			node.value = foldLines(source.slice(1, -1).replaceAll("''", "'"));
		} else if (node.type === 'PLAIN') {
			node.value = foldLines(source);
		} else if (node.type === 'QUOTE_DOUBLE' && !escaped.test(source)) {
			node.value = replaceWithBlanks(node.value as string, separators, each => each.replace(/[ \t]+/, ''));
		}
	}
}

/**
 * Rewrites the text so that PyYAML and `yaml` read it alike: scalars with line separators get double quotes and escapes, and comments lose
 * their separators.
 */
export function replaceSeparators(document: Document, text: string): string {
	let written = '';
	let last = 0;
	for (const node of listAffectedScalars(document, text)) {
		const [start, end] = node.range ?? [0, 0];
		const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
		written += `${text.slice(last, start)}${escapeSeparators(JSON.stringify(node.value))}${isBlock ? '\n' : ''}`;
		last = end;
	}
	return (written + text.slice(last)).replaceAll(/[\u0085\u2028\u2029]/g, ' ');
}

function escapeSeparators(quoted: string): string {
	return quoted.replaceAll(/[\u0085\u2028\u2029]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns the strings whose source contains a line separator, in order. */
function listAffectedScalars(document: Document, text: string): Scalar[] {
	const found: Scalar[] = [];
	visit(document, {
		Scalar: (_, node) => {
			if (isScalar(node) && typeof node.value === 'string' && separator.test(getSource(node, text))) {
				found.push(node);
			}
		},
	});
	return found;
}

function getSource({ range }: Scalar, text: string): string {
	return range ? text.slice(range[0], range[1]) : '';
}

function foldLines(text: string): string {
	return replaceWithBlanks(text, lineEnds, fold => {
		const [first, ...others] = fold.match(/\r\n|[\n\r\u0085\u2028\u2029]/g)?.map(each => (/[\u2028\u2029]/.test(each) ? each : '\n')) ?? [];
		return `${first === '\n' ? (others.length === 0 ? ' ' : '') : first}${others.join('')}`;
	});
}

/**
 * Replaces matches of a pattern and drops the blanks before them. The pattern must not start with blanks itself, because that takes
 * quadratic time if many blanks lead to no match.
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
