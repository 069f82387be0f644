import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { LastEditor } from '../lastEditor.ts';
import { placeSnippet } from './codePlacement.ts';
import type { CodeProposals } from './codeProposals.ts';
import { splitLines } from './lines.ts';

/** Inserts code at the cursor of the last used editor. Replaces the selection. */
export async function insertCode(editors: LastEditor, text: string): Promise<void> {
	const { document, selection, viewColumn } = getLastEditor(editors);
	const editor = await vscode.window.showTextDocument(document, { viewColumn: viewColumn ?? vscode.ViewColumn.Active, selection });
	if (!(await editor.edit(edit => edit.replace(selection, text)))) {
		throw new Problem(
			'not-changed',
			vscode.l10n.t("Couldn't change '{0}'. It might be read-only.", vscode.workspace.asRelativePath(document.uri)),
		);
	}
}

/** Opens code as a new unsaved file. */
export async function createFileWithCode(text: string, language: string): Promise<void> {
	const known = await vscode.languages.getLanguages();
	const document = await vscode.workspace.openTextDocument({ content: text, ...(known.includes(language) && { language }) });
	await vscode.window.showTextDocument(document);
}

/**
 * Puts code where it belongs, as changes to accept or discard. It replaces the selection of the last used editor, or else the functions,
 * sections or lines that it matches in that file or in one that was attached to the chat. If nothing matches, the user chooses the position.
 */
export async function applyCode(editors: LastEditor, proposals: CodeProposals, text: string, attached: readonly string[]): Promise<void> {
	const lines = splitLines(text);
	const code = lines.slice(0, lines.findLastIndex(line => line !== '') + 1);
	const editor = editors.get();
	if (editor && !editor.selection.isEmpty) {
		const { document, selection, viewColumn } = editor;
		const replaced = replaceTextInRange(document, selection, code.join('\n') + (coversWholeLines(selection) ? '\n' : ''));
		return proposals.applyProposal(document, splitLines(replaced), viewColumn);
	}
	const others = attached.filter(uri => uri !== String(editor?.document.uri));
	for (const uri of [editor?.document.uri, ...others.map(each => vscode.Uri.parse(each))]) {
		const document = uri && (await openDocument(uri));
		const placed = document && placeSnippet(splitLines(document.getText()), code, document.languageId);
		if (placed) {
			return proposals.applyProposal(document, placed, editor?.viewColumn);
		}
	}
	const { document, selection, viewColumn } = getLastEditor(editors);
	const after = await askForPosition(document, selection.active, code);
	if (after) {
		await proposals.applyProposal(document, after, viewColumn);
	}
}

/** Opens a file as text. Returns undefined if it doesn't exist any more. */
function openDocument(uri: vscode.Uri): Thenable<vscode.TextDocument | undefined> {
	return vscode.workspace.openTextDocument(uri).then(
		document => document,
		() => undefined,
	);
}

/** Asks where to put code that matches nothing in the file. Returns the new lines, or `undefined` if the user cancels. */
async function askForPosition(
	document: vscode.TextDocument,
	cursor: vscode.Position,
	code: readonly string[],
): Promise<readonly string[] | undefined> {
	const insert = { label: vscode.l10n.t('Insert at cursor'), description: vscode.l10n.t('Line {0}', cursor.line + 1) };
	const replace = { label: vscode.l10n.t('Replace file') };
	const picked = await vscode.window.showQuickPick([insert, replace], {
		placeHolder: vscode.l10n.t(
			"Nothing in '{0}' matches this code. Select where to put it.",
			vscode.workspace.asRelativePath(document.uri),
		),
	});
	if (picked === insert) {
		return splitLines(replaceTextInRange(document, new vscode.Range(cursor, cursor), code.join('\n')));
	}
	// keep the line break at the end of the file
	return picked && [...code, ...(document.lineAt(document.lineCount - 1).text === '' ? [''] : [])];
}

function coversWholeLines({ isSingleLine, end }: vscode.Selection): boolean {
	return !isSingleLine && end.character === 0;
}

function replaceTextInRange(document: vscode.TextDocument, range: vscode.Range, text: string): string {
	const whole = document.getText();
	return whole.slice(0, document.offsetAt(range.start)) + text + whole.slice(document.offsetAt(range.end));
}

function getLastEditor(editors: LastEditor): vscode.TextEditor {
	const editor = editors.get();
	if (!editor) {
		throw new Problem('no-editor', vscode.l10n.t('No file is open. Open one and put the cursor where you want the code.'));
	}
	return editor;
}
