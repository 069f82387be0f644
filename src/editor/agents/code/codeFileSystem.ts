import * as vscode from 'vscode';
import { codeScheme } from '../../platform/names.ts';
import type { CodeFiles } from './codeFiles.ts';

/**
 * Registers the file system of code documents in agent files. Documents can be edited but not created, renamed or deleted, because each
 * belongs to a field of an agent file.
 * @param load loads the implementation with the first document, which VS Code may restore at startup
 */
export function registerCodeFiles(
	changed: vscode.EventEmitter<vscode.FileChangeEvent[]>,
	load: () => Promise<CodeFiles>,
): vscode.Disposable {
	const throwNoPermissions = () => {
		throw vscode.FileSystemError.NoPermissions();
	};
	return vscode.workspace.registerFileSystemProvider(codeScheme, {
		onDidChangeFile: changed.event,
		watch: () => ({ dispose() {} }),
		stat: async uri => (await load()).stat(uri),
		readFile: async uri => (await load()).readFile(uri),
		writeFile: async (uri, bytes) => (await load()).writeFile(uri, bytes),
		readDirectory: () => [],
		createDirectory: throwNoPermissions,
		delete: throwNoPermissions,
		rename: throwNoPermissions,
	});
}
