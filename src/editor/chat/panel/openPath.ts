import path from 'node:path';
import * as vscode from 'vscode';
import { isInsideFolder } from '#base/files/fileScope.ts';
import { Problem } from '#base/problems.ts';
import { openFileAtLines } from '../attachments/fileAttachments.ts';

/** Parses a path with optional line numbers, for example `src/a.ts:10-12`, `src/a.ts:10:3`, `src/a.ts(10,3)` or `src/a.ts#L10`. */
export function parseFileReference(text: string): { readonly path: string; readonly lines?: string } {
	const [, file = text, from, to = from] =
		/^(.+?)(?::(\d+)(?:-(\d+)|:\d+)?|#L(\d+)(?:-L?(\d+))?|\((\d+)(?:, ?\d+)?\))$/.exec(text)?.filter(part => part !== undefined) ?? [];
	return from === undefined ? { path: file } : { path: file, lines: `${from}-${to}` };
}

/**
 * Opens a file that a reply mentions, at the given lines. Opens only files inside a workspace folder.
 * @throws {Problem} `no-file` if the workspace has no such file
 */
export async function openMentionedFile(text: string): Promise<void> {
	const { path: file, lines } = parseFileReference(text);
	for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
		const absolute = path.posix.resolve(uri.path, file);
		if (!isInsideFolder(absolute, uri.path, path.posix)) {
			continue;
		}
		const found = uri.with({ path: absolute });
		const isFile = await vscode.workspace.fs.stat(found).then(
			({ type }) => (type & vscode.FileType.File) !== 0,
			() => false,
		);
		if (isFile) {
			return openFileAtLines(found, lines);
		}
	}
	throw new Problem('no-file', vscode.l10n.t("The workspace has no file '{0}'.", file));
}
