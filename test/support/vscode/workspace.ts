import fs from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { ignoreEvents } from './events.ts';
import { getConfiguration, onDidChangeConfiguration } from './settings.ts';
import { openTextDocument } from './texts.ts';

/** A trusted window without a folder or open files. */
export const workspace = {
	isTrusted: true,
	workspaceFolders: undefined,
	textDocuments: [],
	onDidGrantWorkspaceTrust: ignoreEvents,
	onDidChangeWorkspaceFolders: ignoreEvents,
	onDidOpenTextDocument: ignoreEvents,
	onDidRenameFiles: ignoreEvents,
	onDidChangeTextDocument: ignoreEvents,
	onDidSaveTextDocument: ignoreEvents,
	onDidCloseTextDocument: ignoreEvents,
	onDidChangeConfiguration,
	getConfiguration,
	openTextDocument,
	getWorkspaceFolder: () => undefined,
	asRelativePath: (file: string | vscode.Uri) => (typeof file === 'string' ? file : file.fsPath),
	findFiles: async () => [],
	registerTextDocumentContentProvider: () => ({ dispose() {} }),
	createFileSystemWatcher: () => ({ onDidCreate: ignoreEvents, onDidChange: ignoreEvents, onDidDelete: ignoreEvents, dispose() {} }),
	fs: {
		isWritableFileSystem: (scheme: string) => (scheme === 'file' ? true : undefined),
		readFile: (file: vscode.Uri) => fs.promises.readFile(file.fsPath),
		writeFile: async (file: vscode.Uri, bytes: Uint8Array) => {
			await fs.promises.mkdir(path.dirname(file.fsPath), { recursive: true });
			await fs.promises.writeFile(file.fsPath, bytes);
		},
		readDirectory: async (folder: vscode.Uri) =>
			(await fs.promises.readdir(folder.fsPath, { withFileTypes: true })).map(entry => [entry.name, entry.isDirectory() ? 2 : 1] as const),
		copy: (from: vscode.Uri, to: vscode.Uri, { overwrite = false } = {}) =>
			fs.promises.cp(from.fsPath, to.fsPath, { recursive: true, force: overwrite, errorOnExist: !overwrite }),
		delete: (file: vscode.Uri) => fs.promises.rm(file.fsPath),
		stat: async (file: vscode.Uri) => {
			const found = await fs.promises.stat(file.fsPath);
			const { size, mtimeMs, ctimeMs } = found;
			return { type: found.isDirectory() ? 2 : 1, size, mtime: mtimeMs, ctime: ctimeMs };
		},
	},
};
