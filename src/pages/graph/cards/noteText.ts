import { itemsOf, textOf } from '#base/records/plainValues.ts';

/** Levels of a note that are read, and letters of it: no person writes more. */
const limits = { depth: 30, letters: 4000 };

/** The plain text of a note: `data.text` holds the state of the editor that it was written in (Lexical), as JSON. A text that is no such state stands as it is. */
export function noteText(text: string): string {
	let state: unknown;
	try {
		state = JSON.parse(text);
	} catch {
		return text.slice(0, limits.letters);
	}
	const root = typeof state === 'object' && state !== null && 'root' in state ? state.root : undefined;
	return root === undefined ? text.slice(0, limits.letters) : blocks(root, 0).trimEnd().slice(0, limits.letters);
}

/** The text of what holds blocks: each is a line. */
function blocks(block: unknown, depth: number): string {
	if (depth > limits.depth) {
		return '';
	}
	let lines = '';
	for (const [at, child] of itemsOf(block, 'children').entries()) {
		const type = textOf(child, 'type');
		const mark = type === 'listitem' ? (textOf(block, 'listType') === 'number' ? `${at + 1}. ` : '• ') : '';
		if (type === 'text') {
			lines += textOf(child, 'text');
		} else if (type === 'linebreak') {
			lines += '\n';
		} else if (type === 'link' || type === 'autolink') {
			lines += blocks(child, depth + 1);
		} else {
			lines += `${mark}${blocks(child, depth + 1).trimEnd()}\n`;
		}
		if (lines.length > limits.letters) {
			break;
		}
	}
	return lines;
}
