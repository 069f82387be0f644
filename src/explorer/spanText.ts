import * as vscode from 'vscode';
import type { LogSpan, LogSpanKind } from './lists/logSpan.ts';

/** A kind of span as it is offered. */
export function spanKindText(kind: LogSpanKind): string {
	switch (kind) {
		case 'hour':
			return vscode.l10n.t('Last hour');
		case 'day':
			return vscode.l10n.t('Last 24 hours');
		case 'today':
			return vscode.l10n.t('Today');
		case 'yesterday':
			return vscode.l10n.t('Yesterday');
		case 'week':
			return vscode.l10n.t('Last 7 days');
		case 'dates':
			return vscode.l10n.t('Dates…');
	}
}

/** A span in a few words. */
export function spanText({ kind, after, before = Date.now() }: LogSpan): string {
	if (kind !== 'dates') {
		return spanKindText(kind);
	}
	const [first, last] = [after, before].map(at => new Date(at).toLocaleDateString());
	return first === last ? (first ?? '') : `${first} – ${last}`;
}
