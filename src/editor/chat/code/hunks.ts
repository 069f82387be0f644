import { applyChanges, type TextChange } from '#agentFile/writing/textChanges.ts';
import { diffLines, type LineChange } from './lineDiff.ts';
import { splitLines } from './lines.ts';

/** A proposed change in a text, which contains it already. Offsets are in UTF-16 code units. */
export interface Hunk {
	readonly start: number;
	readonly end: number;
	/** Original content. */
	readonly original: string;
	/** Proposed content. */
	readonly proposed: string;
}

/** Returns changes that turn one text into another, from the last to the first, so that they can be applied one after another. */
export function diffTexts(before: string, after: string): TextChange[] {
	const lines = splitLines(before);
	return diffLines(lines, splitLines(after))
		.map(change => toTextChange(before, lines, change))
		.reverse();
}

function toTextChange(text: string, lines: readonly string[], { from, to, lines: fresh }: LineChange): TextChange {
	const eol = getLineEnding(text);
	const getOffset = (line: number) => lines.slice(0, line).reduce((sum, each) => sum + each.length + eol.length, 0);
	if (to < lines.length) {
		const offset = getOffset(from);
		return { offset, length: getOffset(to) - offset, text: fresh.map(line => line + eol).join('') };
	}
	// the last line has no line break of its own, so the one before it is replaced too
	const offset = from === 0 ? 0 : getOffset(from) - eol.length;
	return { offset, length: text.length - offset, text: from === 0 ? fresh.join(eol) : fresh.map(line => eol + line).join('') };
}

/** Returns the line ending of a text in which all lines have the same one, as in VS Code's documents. */
export function getLineEnding(text: string): string {
	return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the hunks of a text that was made from another one. */
export function createHunks(before: string, after: string): Hunk[] {
	let added = 0;
	return diffTexts(before, after)
		.reverse()
		.map(({ offset, length, text }) => {
			const start = offset + added;
			added += text.length - length;
			return { start, end: start + text.length, original: before.slice(offset, offset + length), proposed: text };
		});
}

/** True if a hunk is still to be decided: its original text wasn't restored, for example by undo. */
export function isPending(text: string, { start, end, original }: Hunk): boolean {
	return text.slice(start, end) !== original;
}

/** Returns the text with the original content of the hunks. */
export function restoreOriginals(text: string, hunks: readonly Hunk[]): string {
	return applyChanges(
		text,
		hunks.map(({ start, end, original }) => ({ offset: start, length: end - start, text: original })),
	);
}

/**
 * Returns where the hunks are after changes of a text. Drops those that were overwritten together with text around them.
 * @param changes from the last to the first, so that their offsets are those in the text
 */
export function moveHunks(hunks: readonly Hunk[], changes: readonly TextChange[], text: string): Hunk[] {
	return changes.reduce<Hunk[]>((moved, change) => moved.flatMap(hunk => moveHunk(hunk, change, text) ?? []), [...hunks]);
}

function moveHunk(hunk: Hunk, { offset, length, text }: TextChange, before: string): Hunk | undefined {
	const { start, end, original, proposed } = hunk;
	const changed = offset + length;
	const added = text.length - length;
	if (start === end && offset === start && length === 0) {
		// undo inserts the original again and redo the proposed lines; what else is typed where lines were deleted comes after them
		return text === original || text === proposed ? { ...hunk, end: end + added } : hunk;
	}
	// whole lines that are inserted before the first line of a hunk don't belong to it, but what is typed in that line does
	if (changed < start || (changed === start && (length > 0 || text.endsWith('\n')))) {
		return { ...hunk, start: start + added, end: end + added };
	}
	if (offset >= end) {
		return hunk;
	}
	if (offset <= start && changed >= end && length > end - start) {
		return undefined;
	}
	// a change across an edge makes the text outside a part of the hunk, which has to come back with the original lines
	return {
		...hunk,
		start: Math.min(start, offset),
		end: Math.max(end, changed) + added,
		original: before.slice(Math.min(start, offset), start) + original + before.slice(end, Math.max(end, changed)),
	};
}

/** Returns the offsets of a hunk's lines without the line breaks around them. */
export function getLineRange(text: string, { start, end }: Hunk): { readonly start: number; readonly end: number } {
	const part = text.slice(start, end);
	const before = /^\r?\n/.exec(part)?.[0].length ?? 0;
	const after = part.endsWith('\n') ? getLineEnding(part).length : 0;
	return { start: start + (before < part.length ? before : 0), end: Math.max(end - after, start) };
}

/** Returns the numbers of lines that a hunk removed and added. */
export function countLines(text: string, { start, end, original }: Hunk): { readonly removed: number; readonly added: number } {
	const count = (part: string) => (part === '' ? 0 : splitLines(part.replace(/^\r?\n|\r?\n$/, '')).length);
	return { removed: count(original), added: count(text.slice(start, end)) };
}
