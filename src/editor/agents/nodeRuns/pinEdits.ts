import { type Edit, modify, type ParseError, parseTree } from 'jsonc-parser';
import { findProperty, listProperties } from '#base/text/textFaults.ts';

/** Reason why a run file can't be edited: it isn't valid JSON, or its field `mocks` isn't an object. */
type PinProblem = 'unreadable' | 'mocks';

/**
 * Returns minimal edits of a run file that pin or unpin a node, or no edits if there is nothing to change. Keeps comments. Removes `mocks`
 * with the last pin.
 * @param value the mock, or `undefined` to unpin the node
 */
export function createPinEdits(text: string, node: string, value: unknown): readonly Edit[] | PinProblem {
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	if (errors.length > 0 || root?.type !== 'object') {
		return 'unreadable';
	}
	const mocks = findProperty(root, 'mocks');
	if (mocks && mocks.type !== 'object') {
		return 'mocks';
	}
	if (value === undefined && !findProperty(mocks, node)) {
		return [];
	}
	const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const formattingOptions = {
		insertSpaces: !indent.includes('\t'),
		tabSize: indent.includes('\t') ? 4 : indent.length,
		eol: text.includes('\r\n') ? '\r\n' : '\n',
	};
	const isLast = value === undefined && listProperties(mocks).length === 1;
	return modify(text, isLast ? ['mocks'] : ['mocks', node], value, { formattingOptions });
}
