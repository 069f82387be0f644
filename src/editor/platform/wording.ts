import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import { formatDuration, getDurationStrings } from '#base/text/duration.ts';
import { formatDate, formatDateTime, formatNumber, formatTime } from './format.ts';

/** Formats milliseconds as a short duration: `4 ms`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatBriefDuration(ms: number): string {
	return formatDuration(ms, 'brief', getDurationStrings(vscode.l10n));
}

/**
 * Formats a time in Unix milliseconds relative to now: `just now`, `2 min ago`, `3 h ago`, `yesterday`. Earlier times are formatted as a
 * date.
 */
export function formatRelativeTime(ms: number, now = Date.now()): string {
	const minutes = Math.floor((now - ms) / 60_000);
	if (minutes < 1) {
		return vscode.l10n.t('just now');
	}
	if (minutes < 60) {
		return vscode.l10n.t('{0} min ago', minutes);
	}
	const hours = Math.floor(minutes / 60);
	if (hours < 24) {
		return vscode.l10n.t('{0} h ago', hours);
	}
	return hours < 48 ? vscode.l10n.t('yesterday') : formatDate(ms);
}

/** Formats a time in Unix milliseconds as the time of day, with the date unless it is today. */
export function formatTimestamp(ms: number, now = Date.now()): string {
	const moment = new Date(ms);
	const today = moment.toDateString() === new Date(now).toDateString();
	return today ? formatTime(ms) : formatDateTime(ms, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
}

/** Formats a number of tokens: `1 token`, `2,310 tokens`. */
export function formatTokens(tokens: number): string {
	return tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', formatNumber(tokens));
}

/** Matches all characters that start a new line. */
const lineEnds = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Matches control characters, and marks that change the direction of the text after them. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns the first line of a text, shortened to a length with an ellipsis. Removes characters that could change how the surrounding text
 * is shown.
 */
export function toOneLine(text: string, length = 80): string {
	const line = text.trim().split(lineEnds, 1)[0] ?? '';
	return cutText(line.replaceAll('\t', ' ').replace(unseen, ''), length);
}

/** Removes characters from a text that could change how the surrounding text is shown. Keeps its lines. */
export function toPlainLines(text: string): string {
	return text
		.split(lineEnds)
		.map(line => line.replaceAll('\t', ' ').replace(unseen, ''))
		.join('\n');
}

/** Escapes text for a label that may contain icons, so that `$(error)` in the text doesn't become an icon. */
export function escapeIcons(text: string): string {
	return text.replaceAll('$(', '\\$(');
}

/** Escapes text for a notification or prompt, so that `[label](command:…)` in the text doesn't become a link that runs a command. */
export function escapeLinks(text: string): string {
	return text.replaceAll('](', '] (');
}

/** Escapes text for Markdown, so that nothing in a service's response becomes a link, an image or a heading. */
export function escapeMarkdown(text: string): string {
	return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, '\\$&').replace(/\r?\n/g, '  \n');
}

/** Returns the first line of a text for Markdown code between backticks, which the text can't end. */
export function toCodeText(text: string): string {
	return toOneLine(text.replaceAll('`', ''), 200);
}

/**
 * Returns a Markdown code block that the text can't end. Use it instead of `appendCodeblock`, which overlooks indented fences in the text:
 * after one of them, the text could contain links and images.
 */
export function formatCodeBlock(text: string, language: string): string {
	const longest = [...text.matchAll(/`+/g)].reduce((length, [run]) => Math.max(length, run.length), 2);
	const fence = '`'.repeat(longest + 1);
	return `\n${fence}${language}\n${text}\n${fence}\n`;
}
