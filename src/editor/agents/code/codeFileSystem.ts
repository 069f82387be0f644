import * as vscode from 'vscode';
import { codeScheme } from '../../platform/names.ts';
import type { CodeFiles } from './codeFiles.ts';

/**
 * Registers the documents of programs in agent files. They are there as long as their files are, so that nothing but their text can be changed.
 * @param load what does the work: loaded with the first of them, one that a window left open too
 */
export function registerCodeFiles(
	changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
	load: () => Promise<CodeFiles>,
): vscode.Disposable {
	const refuse = () => {
		throw vscode.FileSystemError.NoPermissions();
	};
	return vscode.workspace.registerFileSystemProvider(codeScheme, {
		onDidChangeFile: changed.event,
		watch: () => ({ dispose() {} }),
		stat: async uri => (await load()).stat(uri),
		readFile: async uri => (await load()).readFile(uri),
		writeFile: async (uri, bytes) => (await load()).writeFile(uri, bytes),
		readDirectory: () => [],
		createDirectory: refuse,
		delete: refuse,
		rename: refuse,
	});
}
