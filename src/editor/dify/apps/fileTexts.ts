import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { writeWholeFile } from '#dify/files/wholeFile.ts';

/** The document of a file that is open, shown or not. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
}

/** A file's text as its user has it: the editor's where it is open, saved or not. `undefined` where there is none. */
export async function textOfFile(uri: vscode.Uri): Promise<string | undefined> {
	const document = openDocument(uri);
	if (document?.isDirty) {
		return document.getText();
	}
	// of a document without changes the disk has the last word: the editor hears of it a moment later
	return textOnDisk(uri);
}

/**
 * Puts a text in the place of another one: as an edit that can be undone where the file is open, else on the disk, whole or not at all. The file is saved
 * then.
 * @param before the text that was looked at; `undefined`: there was no file
 * @throws {Problem} `changed-meanwhile` where the file has another text by now: nothing was written
 */
export async function replaceText(uri: vscode.Uri, before: string | undefined, after: string): Promise<void> {
	if ((await textOfFile(uri)) !== before) {
		throw changedMeanwhile(uri);
	}
	const document = openDocument(uri);
	if (document && before !== undefined) {
		await replaceInEditor(document, before, after);
	} else if (before === undefined) {
		await createFile(uri, after);
	} else {
		await writeOver(uri, after);
	}
}

/** Saves a file with changes: what is pushed is what is on the disk. Resolves to whether it is saved. */
export async function saved(uri: vscode.Uri): Promise<boolean> {
	const document = openDocument(uri);
	return !document?.isDirty || document.save();
}

/** Why nothing was written: the file is not as it was when the user was asked. */
function changedMeanwhile(uri: vscode.Uri): Problem {
	const name = vscode.workspace.asRelativePath(uri);
	return new Problem('changed-meanwhile', vscode.l10n.t('{0} changed meanwhile, so nothing was written to it: do it again.', name));
}

async function textOnDisk(uri: vscode.Uri): Promise<string | undefined> {
	try {
		return await fs.readFile(uri.fsPath, 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
}

async function replaceInEditor(document: vscode.TextDocument, before: string, text: string): Promise<void> {
	const now = document.getText();
	const after = withoutCarriage(text).replaceAll('\n', document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
	// the editor keeps line ends of its own, and has not heard of the disk yet where it differs otherwise
	if (withoutCarriage(now) !== withoutCarriage(before)) {
		throw changedMeanwhile(document.uri);
	}
	const edit = new vscode.WorkspaceEdit();
	const { start, end } = changedPart(now, after);
	edit.replace(
		document.uri,
		new vscode.Range(document.positionAt(start), document.positionAt(now.length - end)),
		after.slice(start, after.length - end),
	);
	const isDone = await vscode.workspace.applyEdit(edit);
	if (!isDone || !(await document.save())) {
		const name = vscode.workspace.asRelativePath(document.uri);
		throw new Problem('not-saved', vscode.l10n.t('{0} could not be saved: save it, or undo the change in its editor.', name));
	}
}

/** Characters that both texts begin and end with, so that cursors and folds elsewhere stay where they are. */
function changedPart(before: string, after: string): { readonly start: number; readonly end: number } {
	const most = Math.min(before.length, after.length);
	let start = 0;
	while (start < most && before[start] === after[start]) {
		start++;
	}
	// whole lines: an edit that begins inside a pair of code units or of line ends is moved by the editor
	start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
	let end = 0;
	while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
		end++;
	}
	const tail = before.indexOf('\n', before.length - end);
	return { start, end: tail === -1 ? 0 : before.length - tail - 1 };
}

function withoutCarriage(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
}

/** Makes a file that is not there yet: of those who try at the same moment one succeeds. */
async function createFile(uri: vscode.Uri, text: string): Promise<void> {
	await fs.mkdir(path.dirname(uri.fsPath), { recursive: true });
	try {
		await fs.writeFile(uri.fsPath, text, { flag: 'wx' });
	} catch (error) {
		throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? changedMeanwhile(uri) : error;
	}
}

async function writeOver(uri: vscode.Uri, text: string): Promise<void> {
	// the file itself where the path is a link
	const file = await fs.realpath(uri.fsPath);
	await writeWholeFile(file, text, (await fs.stat(file)).mode & 0o777);
}
