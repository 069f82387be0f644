import * as vscode from 'vscode';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import type { TextChange } from '#agentFile/writing/textChanges.ts';
import type { AgentReadings } from '../files/agentReadings.ts';

/** What came of an operation: the nodes that are new, or why it was not done. */
type Edited = { readonly made: readonly string[] } | { readonly refused: string };

/** How often an edit is made again because the text was changed by another hand meanwhile. */
const mostTries = 5;

/** Whether documents of an address can be changed: files that can be written, and texts that are no files yet; what others only show cannot. */
export function isEditable({ scheme }: vscode.Uri): boolean {
	return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** Does an operation to a document as one edit of its text: one step of undo. It is made of the text that it is put into, whatever is typed meanwhile. */
export async function editGraph(document: vscode.TextDocument, operation: GraphOperation, readings: AgentReadings): Promise<Edited> {
	const cannot = { refused: vscode.l10n.t('The file cannot be changed, or it was changed meanwhile.') };
	for (let tries = 0; tries < mostTries && !document.isClosed && isEditable(document.uri); tries++) {
		const { version } = document;
		const result = applyOperation(readings.of(document), operation, vscode.l10n.t);
		if ('refused' in result) {
			return result;
		}
		if (await changeText(document, result.changes)) {
			return { made: result.made };
		}
		if (document.version === version) {
			return cannot;
		}
	}
	return cannot;
}

/** Puts changes into a document as one step. */
async function changeText(document: vscode.TextDocument, changes: readonly TextChange[]): Promise<boolean> {
	if (changes.length === 0) {
		return true;
	}
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, text } of changes) {
		edit.replace(document.uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), text);
	}
	return vscode.workspace.applyEdit(edit);
}
