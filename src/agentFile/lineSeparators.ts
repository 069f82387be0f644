import { type Document, isScalar, type Scalar, visit } from 'yaml';

/** Characters that end a line for PyYAML, and so for the hosted service, but are letters like others to `yaml`. They come with texts that are pasted. */
const separator = /[\u0085\u2028\u2029]/;
/** Line ends in a quoted or plain text, with the white space around them. */
const folds = /[ \t]*(?:\r\n|[\n\r\u0085\u2028\u2029])(?:[ \t]*(?:\r\n|[\n\r\u0085\u2028\u2029]))*[ \t]*/g;
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
			node.value = (node.value as string).replace(/[ \t]*([\u0085\u2028\u2029]+)[ \t]*/g, '$1');
		}
	}
}

/** The same text in a writing that PyYAML and `yaml` read alike: scalars with such characters in double quotes, with escapes; none in comments. */
export function withoutSeparators(document: Document, text: string): string {
	let written = text;
	for (const node of holders(document, text).toReversed()) {
		const [start, end] = node.range ?? [0, 0];
		const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
		const quoted = escapedSeparators(JSON.stringify(node.value));
		written = `${written.slice(0, start)}${quoted}${isBlock ? '\n' : ''}${written.slice(end)}`;
	}
	return written.replaceAll(/[\u0085\u2028\u2029]/g, ' ');
}

/** A writing in double quotes with escapes for such characters. */
export function escapedSeparators(quoted: string): string {
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
	return text.replaceAll(folds, fold => {
		const [first, ...others] = fold.match(/\r\n|[\n\r\u0085\u2028\u2029]/g)?.map(each => (/[\u2028\u2029]/.test(each) ? each : '\n')) ?? [];
		return `${first === '\n' ? (others.length === 0 ? ' ' : '') : first}${others.join('')}`;
	});
}
