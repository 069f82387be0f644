import * as vscode from 'vscode';
import { cutToLimit } from '#base/text/cutText.ts';
import { tryParseJson } from '#base/text/json.ts';
import { formatNumber } from '../../platform/format.ts';

/** Maximum length of a document that isn't shortened. The editor would disable colors and folding in longer documents. */
const mostCharacters = 400_000;
const longestText = 2_000;
const longestList = 100;

/** The content of a document. `cut` is true if the content was shortened. */
export interface PrettyText {
	readonly text: string;
	readonly cut: boolean;
}

/**
 * Formats JSON for reading. If the result is too long and `full` is false, shortens long strings and lists, with a note of how much is
 * missing.
 */
export function formatJson(value: unknown, full: boolean): PrettyText {
	const text = JSON.stringify(value, undefined, 2) ?? 'null';
	if (full || text.length <= mostCharacters) {
		return { text, cut: false };
	}
	for (const scale of [1, 0.1, 0.01]) {
		const short = JSON.stringify(shortenValues(value, longestText * scale, Math.ceil(longestList * scale)), undefined, 2);
		if (short.length <= mostCharacters) {
			return { text: short, cut: true };
		}
	}
	// the text consists of many small fields, so cut it at any position
	return { text: `${cutToLimit(text, mostCharacters)}\n…`, cut: true };
}

/** Parses fields that services send as JSON in a string (run inputs, wire facts 1.1). */
export function parseJsonStrings<T extends object>(value: T, fields: readonly (keyof T)[]): T {
	const unfolded = { ...value };
	for (const field of fields) {
		const text = value[field];
		if (typeof text === 'string' && /^\s*[[{]/.test(text)) {
			// a string that isn't JSON stays as it is
			unfolded[field] = (tryParseJson(text) ?? text) as T[keyof T];
		}
	}
	return unfolded;
}

function shortenValues(value: unknown, text: number, list: number): unknown {
	if (typeof value === 'string') {
		return value.length > text
			? vscode.l10n.t({
					message: '{0}… (characters omitted: {1})',
					args: [cutToLimit(value, text), formatNumber(value.length - text)],
					comment: ['{0} is the beginning of a text, {1} is a number'],
				})
			: value;
	}
	if (Array.isArray(value)) {
		const first = value.slice(0, list).map(item => shortenValues(item, text, list));
		return value.length > list
			? [
					...first,
					vscode.l10n.t({
						message: '… and {0} more',
						args: [formatNumber(value.length - list)],
						comment: ['{0} is a number; the last line of a list that was cut off'],
					}),
				]
			: first;
	}
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortenValues(item, text, list)]));
	}
	return value;
}
