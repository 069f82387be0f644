import { NodeError } from '../nodes/nodeType.ts';

/** Characters of one text that is filled with values, and of all texts that a run sends: a small file can name a long value again and again. */
export const maxTextLength = 20_000_000;

/** Counts what goes into one text. Throws a {@link NodeError} when that is more than a text can have, before it is put together. */
export class TextLength {
	#length = 0;

	/** Returns the part that was counted. */
	add(part: string): string {
		this.#length += part.length;
		if (this.#length > maxTextLength) {
			throw new NodeError(
				`A text that is filled with values is over ${maxTextLength} characters, the most that one can have`,
				'TextLengthError',
			);
		}
		return part;
	}
}
