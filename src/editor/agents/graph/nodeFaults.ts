import * as vscode from 'vscode';
import type { LivePicture } from './livePicture.ts';

/** Maximum number of messages per node. */
const mostOfNode = 5;

/** Returns the messages of a document's errors in the Problems view, grouped by node. */
export function listNodeErrors(live: LivePicture): readonly (readonly [id: string, sentences: readonly string[]])[] {
	const faults = new Map<string, readonly string[]>();
	for (const { range, message, severity } of vscode.languages.getDiagnostics(live.document.uri)) {
		const id = severity === vscode.DiagnosticSeverity.Error ? live.findNodeAt(range.start) : undefined;
		if (id !== undefined) {
			const own = faults.get(id) ?? [];
			faults.set(id, own.length < mostOfNode ? [...own, message] : own);
		}
	}
	return [...faults];
}
