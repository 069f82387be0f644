import { type Document, isCollection, isPair, isScalar, type Scalar } from 'yaml';
import type { TextChange } from './writing/textChanges.ts';

/** Reads a block scalar at the end of a text like PyYAML: if the last line has no line break, the value doesn't end with one either. */
export function readLastBlock(document: Document, text: string): void {
	const block = findLastBlock(document, text);
	if (block && typeof block.value === 'string') {
		block.value = block.value.replace(/\n$/, '');
	}
}

/**
 * Returns changes that add a line break to the last line without changing the value of a block scalar there; `undefined` if the text is
 * empty or already ends with a line break.
 */
export function createLineEnding(document: Document, text: string, eol: string): readonly TextChange[] | undefined {
	if (text === '' || text.endsWith('\n')) {
		return undefined;
	}
	const ending: TextChange = { offset: text.length, length: 0, text: eol };
	const start = findLastBlock(document, text)?.range?.[0];
	const header = start === undefined ? undefined : /^[|>]\d?([-+]?)\d?/.exec(text.slice(start));
	if (start === undefined || !header || header[1] === '-') {
		return [ending];
	}
	const [written = '', chomping = ''] = header;
	const stripped = `${written.replace(chomping, '')}-`;
	return [{ offset: start, length: written.length, text: stripped }, ending];
}

/** Finds the block scalar that contains the last line of a text without a final line break. */
function findLastBlock(document: Document, text: string): Scalar | undefined {
	if (/\n[ \t]*$/.test(text.slice(-1000))) {
		return undefined;
	}
	let last: unknown = document.contents;
	while (isCollection(last) || isPair(last)) {
		last = isPair(last) ? last.value : last.items.at(-1);
	}
	return isScalar(last) && last.type?.startsWith('BLOCK') && last.range?.[1] === text.length ? last : undefined;
}
