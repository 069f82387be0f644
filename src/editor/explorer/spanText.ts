import * as vscode from 'vscode';
import { type LogSpan, spanKindLabel } from '#runs/logs/logSpan.ts';

/** A span in a few words. */
export function spanText({ kind, after, before = Date.now() }: LogSpan): string {
	if (kind !== 'dates') {
		return spanKindLabel(vscode.l10n, kind);
	}
	const [first, last] = [after, before].map(at => new Date(at).toLocaleDateString());
	return first === last ? (first ?? '') : `${first} – ${last}`;
}
