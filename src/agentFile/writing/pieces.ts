import { type TextChange, trimChange } from './textChanges.ts';

/** An edit that can't be written. The message is shown to the user. */
export class Unwritable extends Error {}

/** Collects changes of one text. */
export class Pieces {
	readonly #text: string;
	readonly #pieces: (TextChange & { readonly depth: number })[] = [];

	constructor(text: string) {
		this.#text = text;
	}

	/** @param depth depth of the inserted value in the file. Of two insertions at one offset, the deeper one comes first. */
	add(offset: number, length: number, text: string, depth = 0): void {
		this.#pieces.push({ offset, length, text, depth });
	}

	/** Inserts whole lines before the line at an offset, or after the last line if that has no line break. */
	insertLines(offset: number, lines: string, eol: string, depth: number): void {
		const begun = offset > 0 && this.#text[offset - 1] !== '\n';
		this.add(offset, 0, begun ? eol + lines : lines + eol, depth);
	}

	/** True if the character at an offset is replaced or removed. */
	isReplaced(at: number): boolean {
		return this.#pieces.some(({ offset, length }) => at >= offset && at < offset + length);
	}

	/**
	 * Returns the collected changes in order, each as small as possible.
	 * @throws {Unwritable} if two changes overlap
	 */
	getChanges(refusal: string): readonly TextChange[] {
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
		return joined.flatMap(change => trimChange(this.#text, change) ?? []);
	}
}
