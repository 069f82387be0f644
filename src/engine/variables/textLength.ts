import { NodeError } from '../nodes/nodeError.ts';

/**
 * Maximum characters of one string filled with values, and of all text that a run sends: a small file can repeat a long value many times.
 */
export const maxTextLength = 20_000_000;

/** Counts the parts of a string. Throws a {@link NodeError} if they exceed the limit, before the string is built. */
export class TextLength {
	#length = 0;

	/** Returns the counted part. */
	add(part: string): string {
		this.#length += part.length;
		if (this.#length > maxTextLength) {
			throw new NodeError(`A text with inserted values is longer than ${maxTextLength} characters`, 'TextLengthError');
		}
		return part;
	}
}
