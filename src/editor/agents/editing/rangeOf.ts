import * as vscode from 'vscode';

export function toDocumentRange(document: vscode.TextDocument, { offset, length }: { offset: number; length: number }): vscode.Range {
	return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
