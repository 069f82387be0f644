import * as vscode from 'vscode';

/** A duration as people read it: `4 ms`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. Takes milliseconds. */
export function durationText(ms: number): string {
	if (ms < 100) {
		return vscode.l10n.t('{0} ms', Math.max(0, Math.round(ms)));
	}
	const seconds = ms / 1000;
	if (seconds < 10) {
		return vscode.l10n.t('{0} s', seconds.toFixed(1));
	}
	const whole = Math.round(seconds);
	if (whole < 60) {
		return vscode.l10n.t('{0} s', whole);
	}
	if (whole < 3600) {
		return vscode.l10n.t('{0} min {1} s', Math.floor(whole / 60), whole % 60);
	}
	return vscode.l10n.t('{0} h {1} min', Math.floor(whole / 3600), Math.floor((whole % 3600) / 60));
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
	return hours < 48 ? vscode.l10n.t('yesterday') : new Date(ms).toLocaleDateString();
}

/** A moment as short as it can be told: the time of day for today, else the day too. Takes Unix milliseconds. */
export function momentText(ms: number, now = Date.now()): string {
	const moment = new Date(ms);
	const today = moment.toDateString() === new Date(now).toDateString();
	return today
		? moment.toLocaleTimeString()
		: moment.toLocaleString(undefined, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
}

/** Tokens as people read them: `1 token`, `2,310 tokens`. */
export function tokensText(tokens: number): string {
	return tokens === 1 ? vscode.l10n.t('1 token') : vscode.l10n.t('{0} tokens', tokens.toLocaleString());
}

/** The first line of a text, cut to a length with an ellipsis. */
export function oneLine(text: string, length = 80): string {
	const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
	return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** Text that Markdown shows as it is: nothing in a service's answer becomes a link, an image or a heading. */
export function markdownText(text: string): string {
	return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, '\\$&').replace(/\r?\n/g, '  \n');
}
