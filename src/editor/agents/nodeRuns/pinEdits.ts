import { type Edit, modify, type ParseError, parseTree } from 'jsonc-parser';
import { propertiesOf, propertyOf } from '#base/text/textFaults.ts';

/** Why a run file takes no pins: its text cannot be read, or `mocks` is no object in it. */
type PinFault = 'unreadable' | 'mocks';

/**
 * The smallest changes of a run file's text by which something stands in for a node, or nothing does any more: comments stay, and with the last pin goes `mocks`.
 * @param value what stands in; `undefined`: nothing. A text that has nothing for the node is not changed then.
 */
export function pinEdits(text: string, node: string, value: unknown): readonly Edit[] | PinFault {
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	if (errors.length > 0 || root?.type !== 'object') {
		return 'unreadable';
	}
	const mocks = propertyOf(root, 'mocks');
	if (mocks && mocks.type !== 'object') {
		return 'mocks';
	}
	if (value === undefined && !propertyOf(mocks, node)) {
		return [];
	}
	const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '\t';
	const formattingOptions = {
		insertSpaces: !indent.includes('\t'),
		tabSize: indent.includes('\t') ? 4 : indent.length,
		eol: text.includes('\r\n') ? '\r\n' : '\n',
	};
	const isLast = value === undefined && propertiesOf(mocks).length === 1;
	return modify(text, isLast ? ['mocks'] : ['mocks', node], value, { formattingOptions });
}
