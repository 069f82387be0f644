import * as vscode from 'vscode';
import { applyOperation } from '#agentFile/edits/applyOperation.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import type { TextChange } from '#agentFile/writing/textChanges.ts';
import type { AgentReadings } from '../files/agentReadings.ts';

/** Result of an operation: the IDs of new nodes, or a message that says why it was refused. */
type Edited = { readonly made: readonly string[] } | { readonly refused: string };

/** Maximum number of attempts if the text keeps changing during an edit. */
const mostTries = 5;

/** True if documents with this URI can be edited: files on writable file systems and untitled documents. */
export function isEditableUri({ scheme }: vscode.Uri): boolean {
	return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** Applies an operation to a document as one undo step. If the text changes in the meantime, computes the edit again from the new text. */
export async function editGraph(document: vscode.TextDocument, operation: GraphOperation, readings: AgentReadings): Promise<Edited> {
	const cannot = { refused: vscode.l10n.t("Couldn't change the file. It might be read-only, or it might have changed in the meantime.") };
	for (let tries = 0; tries < mostTries && !document.isClosed && isEditableUri(document.uri); tries++) {
		const { version } = document;
		const result = applyOperation(readings.get(document), operation, vscode.l10n.t);
		if ('refused' in result) {
			return result;
		}
		if (await applyTextChanges(document, result.changes)) {
			return { made: result.made };
		}
		if (document.version === version) {
			return cannot;
		}
	}
	return cannot;
}

/** Applies changes to a document as one edit. */
async function applyTextChanges(document: vscode.TextDocument, changes: readonly TextChange[]): Promise<boolean> {
	if (changes.length === 0) {
		return true;
	}
	const edit = new vscode.WorkspaceEdit();
	for (const { offset, length, text } of changes) {
		edit.replace(document.uri, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), text);
	}
	return vscode.workspace.applyEdit(edit);
}
