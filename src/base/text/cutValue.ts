import { cutToLimit } from './cutText.ts';

/**
 * Limits a JSON value to about `limit` characters (UTF-16 units). Returns the value if it fits, otherwise the start of its JSON with a note
 * on its full length.
 */
export function cutValue(value: unknown, limit: number): unknown {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
	return text.length <= limit
		? value
		: `${cutToLimit(text, limit)}… (cut: the first ${limit.toLocaleString('en-US')} of ${text.length.toLocaleString('en-US')} characters)`;
}
