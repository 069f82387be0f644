import * as vscode from 'vscode';

export function rangeOf(document: vscode.TextDocument, { offset, length }: { offset: number; length: number }): vscode.Range {
	return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}
