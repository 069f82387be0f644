import { getFieldText, getItems } from '#base/records/plainValues.ts';

/** Depth and length at which the text of a note is cut. */
const limits = { depth: 30, letters: 4000 };

/**
 * Returns the plain text of a note. `data.text` contains the state of Dify's editor (Lexical) as JSON; any other text is returned as is.
 */
export function readNoteText(text: string): string {
	let state: unknown;
	try {
		state = JSON.parse(text);
	} catch {
		return text.slice(0, limits.letters);
	}
	const root = typeof state === 'object' && state !== null && 'root' in state ? state.root : undefined;
	return root === undefined ? text.slice(0, limits.letters) : readBlockTexts(root, 0).trimEnd().slice(0, limits.letters);
}

/** Returns the text of all child blocks, one line each. */
function readBlockTexts(block: unknown, depth: number): string {
	if (depth > limits.depth) {
		return '';
	}
	let lines = '';
	for (const [at, child] of getItems(block, 'children').entries()) {
		const type = getFieldText(child, 'type');
		const mark = type === 'listitem' ? (getFieldText(block, 'listType') === 'number' ? `${at + 1}. ` : '• ') : '';
		if (type === 'text') {
			lines += getFieldText(child, 'text');
		} else if (type === 'linebreak') {
			lines += '\n';
		} else if (type === 'link' || type === 'autolink') {
			lines += readBlockTexts(child, depth + 1);
		} else {
			lines += `${mark}${readBlockTexts(child, depth + 1).trimEnd()}\n`;
		}
		if (lines.length > limits.letters) {
			break;
		}
	}
	return lines;
}
