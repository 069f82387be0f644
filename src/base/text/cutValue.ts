import { beginningOf } from './cutText.ts';

/**
 * A JSON value that takes at most about `limit` characters (UTF-16 units): itself where it fits, else the beginning of its text with a word
 * on how much there is.
 */
export function cutValue(value: unknown, limit: number): unknown {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return text.length <= limit
		? value
		: `${beginningOf(text, limit)}… (cut: the first ${limit.toLocaleString('en-US')} of ${text.length.toLocaleString('en-US')} characters)`;
}
