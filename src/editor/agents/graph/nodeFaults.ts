import * as vscode from 'vscode';
import type { LivePicture } from './livePicture.ts';

/** More sentences of a node are not shown. */
const mostOfNode = 5;

/** Errors that *Problems* has of a document, by the nodes that they are in. */
export function nodeFaults(live: LivePicture): readonly (readonly [id: string, sentences: readonly string[]])[] {
	const faults = new Map<string, readonly string[]>();
	for (const { range, message, severity } of vscode.languages.getDiagnostics(live.document.uri)) {
		const id = severity === vscode.DiagnosticSeverity.Error ? live.nodeAt(range.start) : undefined;
		if (id !== undefined) {
			const own = faults.get(id) ?? [];
			faults.set(id, own.length < mostOfNode ? [...own, message] : own);
		}
	}
	return [...faults];
}
