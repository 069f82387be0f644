import { type TextChange, trimmed } from './textChanges.ts';

/** Why an edit cannot be written into a text: the message is a sentence for the user. */
export class Unwritable extends Error {}

/** Changes of one text while they are gathered. */
export class Pieces {
	readonly #text: string;
	readonly #pieces: (TextChange & { readonly depth: number })[] = [];

	constructor(text: string) {
		this.#text = text;
	}

	/** @param depth how deep in the file what is put in lies: of two things at one offset, the deeper one stands first */
	put(offset: number, length: number, text: string, depth = 0): void {
		this.#pieces.push({ offset, length, text, depth });
	}

	/** Whole lines before the line that begins at an offset; behind the last one where that lacks its line break. */
	putLines(offset: number, lines: string, eol: string, depth: number): void {
		const begun = offset > 0 && this.#text[offset - 1] !== '\n';
		this.put(offset, 0, begun ? eol + lines : lines + eol, depth);
	}

	/** Whether the character at an offset goes away. */
	replaces(at: number): boolean {
		return this.#pieces.some(({ offset, length }) => at >= offset && at < offset + length);
	}

	/** What was gathered, in the order of the text, each as small as can be. @throws {Unwritable} where two changes meet in one place */
	changes(refusal: string): readonly TextChange[] {
		const sorted = this.#pieces.toSorted(
			(a, b) => a.offset - b.offset || Math.min(a.length, 1) - Math.min(b.length, 1) || b.depth - a.depth,
		);
		const joined: TextChange[] = [];
		for (const { offset, length, text } of sorted) {
			const last = joined.at(-1);
			if (last && offset < last.offset + last.length) {
				throw new Unwritable(refusal);
			}
			if (last && last.offset === offset) {
				joined[joined.length - 1] = { offset, length, text: last.text + text };
			} else {
				joined.push({ offset, length, text });
			}
		}
		return joined.flatMap(change => trimmed(this.#text, change) ?? []);
	}
}
