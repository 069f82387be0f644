import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import { durationStrings, formatDuration } from '#base/text/duration.ts';
import { formatDate, formatDateTime, formatNumber, formatTime } from './format.ts';

/** A duration for a glance: `4 ms`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. Takes milliseconds. */
export function durationText(ms: number): string {
	return formatDuration(ms, 'brief', durationStrings(vscode.l10n));
}

/** How long ago a time in Unix milliseconds was, in words: `just now`, `2 min ago`, `3 h ago`, `yesterday`, then the date. */
export function agoText(ms: number, now = Date.now()): string {
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

/** A moment as short as it can be told: the time of day for today, else the day too. Takes Unix milliseconds. */
export function momentText(ms: number, now = Date.now()): string {
	const moment = new Date(ms);
	const today = moment.toDateString() === new Date(now).toDateString();
	return today ? formatTime(ms) : formatDateTime(ms, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
}

/** Tokens as people read them: `1 token`, `2,310 tokens`. */
export function tokensText(tokens: number): string {
	return tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', formatNumber(tokens));
}

/** What ends a line, wherever it is shown. */
const lineEnds = /[\n\v\f\r\u0085\u2028\u2029]/;
/** Control characters, and marks that turn the direction of what stands after them. */
const unseen = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** The first line of a text, cut to a length with an ellipsis; nothing of it changes how what stands beside it is shown. */
export function oneLine(text: string, length = 80): string {
	const line = text.trim().split(lineEnds, 1)[0] ?? '';
	return cutText(line.replaceAll('\t', ' ').replace(unseen, ''), length);
}

/** A text where a label takes icons, such as `$(error)`: none of its own becomes one. */
export function withoutIcons(text: string): string {
	return text.replaceAll('$(', '\\$(');
}

/** A text for a notification or a prompt, of which the editor makes links that run commands (`[label](command:…)`): none of it becomes one. */
export function withoutLinks(text: string): string {
	return text.replaceAll('](', '] (');
}

/** Text that Markdown shows as it is: nothing in a service's answer becomes a link, an image or a heading. */
export function markdownText(text: string): string {
	return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, '\\$&').replace(/\r?\n/g, '  \n');
}
