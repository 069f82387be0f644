import { isUtf8 } from 'node:buffer';
import fs from 'node:fs/promises';
import * as vscode from 'vscode';
import { createFileAtomically } from '#base/files/createFile.ts';
import { replaceFile } from '#base/files/replaceFile.ts';
import { Problem } from '#base/problems.ts';
import { resolveFileToWrite } from '../../platform/fileScopes.ts';

/** Returns the open document of a file, whether visible or not. */
export function findOpenDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
}

/** Returns the text of a file, including unsaved changes in its editor. Returns `undefined` if the file doesn't exist. */
export async function readFileText(uri: vscode.Uri): Promise<string | undefined> {
	const document = findOpenDocument(uri);
	if (document?.isDirty) {
		return document.getText();
	}
	// read an unchanged document from disk, because the editor may not have noticed the latest change yet
	return readTextFromDisk(uri);
}

/**
 * Replaces the text of a file and saves it. If the file is open, makes an edit that can be undone, otherwise an atomic write.
 * @param before the expected current text, or `undefined` if the file must not exist
 * @throws {Problem} `changed-meanwhile` if the file has another text, in which case nothing is written
 */
export async function replaceText(uri: vscode.Uri, before: string | undefined, after: string): Promise<void> {
	const file = resolveFileToWrite(uri);
	if ((await readFileText(uri)) !== before) {
		throw createChangedProblem(uri);
	}
	const document = findOpenDocument(uri);
	if (document && before !== undefined) {
		await replaceInEditor(document, before, after);
	} else if (before === undefined) {
		await createFile(uri, after);
	} else {
		// if the path is a link, replace its target
		await replaceFile(file, after);
	}
}

/** Saves a file that has unsaved changes. Resolves to true if that worked. */
export async function saveFile(uri: vscode.Uri): Promise<boolean> {
	const document = findOpenDocument(uri);
	return !document?.isDirty || document.save();
}

function createChangedProblem(uri: vscode.Uri): Problem {
	const name = vscode.workspace.asRelativePath(uri);
	return new Problem('changed-meanwhile', vscode.l10n.t("'{0}' has changed in the meantime, so it wasn't overwritten. Try again.", name));
}

async function readTextFromDisk(uri: vscode.Uri): Promise<string | undefined> {
	let bytes: Buffer;
	try {
		bytes = await fs.readFile(uri.fsPath);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
	// a push would send replacement characters, and a backup before a pull would contain them
	if (!isUtf8(bytes)) {
		throw new Problem('not-utf8', vscode.l10n.t("'{0}' isn't UTF-8 text. Expected a text file.", vscode.workspace.asRelativePath(uri)));
	}
	return bytes.toString('utf8');
}

async function replaceInEditor(document: vscode.TextDocument, before: string, text: string): Promise<void> {
	const now = document.getText();
	const after = normalizeLineEndings(text).replaceAll('\n', document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
	// ignore line endings, which the editor may normalize; any other difference is a change that the editor hasn't noticed yet
	if (normalizeLineEndings(now) !== normalizeLineEndings(before)) {
		throw createChangedProblem(document.uri);
	}
	const edit = new vscode.WorkspaceEdit();
	const { start, end } = findChangedPart(now, after);
	edit.replace(
		document.uri,
		new vscode.Range(document.positionAt(start), document.positionAt(now.length - end)),
		after.slice(start, after.length - end),
	);
	const isDone = await vscode.workspace.applyEdit(edit);
	if (!isDone || !(await document.save())) {
		const name = vscode.workspace.asRelativePath(document.uri);
		throw new Problem('not-saved', vscode.l10n.t("Couldn't save '{0}'. Save it, or undo the change in its editor.", name));
	}
}

/**
 * Returns the lengths of the common start and end of both texts. An edit of only the part between them doesn't move cursors and folds
 * elsewhere.
 */
function findChangedPart(before: string, after: string): { readonly start: number; readonly end: number } {
	const most = Math.min(before.length, after.length);
	let start = 0;
	while (start < most && before[start] === after[start]) {
		start++;
	}
	// use whole lines, because the editor moves edits that start inside a surrogate pair or a CRLF
	start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
	let end = 0;
	while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
		end++;
	}
	const tail = before.indexOf('\n', before.length - end);
	return { start, end: tail === -1 ? 0 : before.length - tail - 1 };
}

function normalizeLineEndings(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
}

/** Creates a file. Rejects if the file exists, even if it is created at the same time. */
async function createFile(uri: vscode.Uri, text: string): Promise<void> {
	// like other files of the workspace
	if (!(await createFileAtomically(uri.fsPath, text, 0o666, 0o777))) {
		throw createChangedProblem(uri);
	}
}
