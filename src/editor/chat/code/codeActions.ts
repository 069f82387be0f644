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
 * Proposes code for the last used editor as a diff. The code replaces the selection, or else the functions, sections or lines that it
 * matches. If nothing matches, the user chooses the position.
 */
export async function applyCode(editors: LastEditor, proposals: CodeProposals, text: string): Promise<void> {
	const { document, selection } = getLastEditor(editors);
	const lines = splitLines(text);
	const code = lines.slice(0, lines.findLastIndex(line => line !== '') + 1);
	const file = splitLines(document.getText());
	const after = selection.isEmpty
		? (placeSnippet(file, code, document.languageId) ?? (await askForPosition(document, selection.active, code)))
		: splitLines(replaceTextInRange(document, selection, code.join('\n') + (coversWholeLines(selection) ? '\n' : '')));
	if (after) {
		await proposals.showProposal(document, after);
	}
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
