/** A text replacement. Offsets are in UTF-16 code units of the original text; changes don't overlap. */
export interface TextChange {
	readonly offset: number;
	readonly length: number;
	readonly text: string;
}

/** Applies changes, which can be in any order. Of two changes at the same offset, the first one in the list comes first in the text. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
	let at = 0;
	const pieces: string[] = [];
	for (const { offset, length, text: piece } of changes.toSorted((a, b) => a.offset - b.offset)) {
		pieces.push(text.slice(at, offset), piece);
		at = offset + length;
	}
	return pieces.join('') + text.slice(at);
}

/** Trims the unchanged ends of a change. Returns `undefined` if nothing is left. */
export function trimChange(text: string, { offset, length, text: piece }: TextChange): TextChange | undefined {
	const old = text.slice(offset, offset + length);
	const most = Math.min(old.length, piece.length);
	let front = 0;
	while (front < most && old[front] === piece[front]) {
		front++;
	}
	let back = 0;
	while (back < most - front && old[old.length - 1 - back] === piece[piece.length - 1 - back]) {
		back++;
	}
	const change = { offset: offset + front, length: length - front - back, text: piece.slice(front, piece.length - back) };
	return change.length === 0 && change.text === '' ? undefined : change;
}
