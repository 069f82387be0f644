import path from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { RunFileIndex } from '../../runs/files/runFileIndex.ts';
import type { TreeNode } from '../nodes/treeNode.ts';

/** A node that represents a file: a run file, or an agent that has a file. */
export interface FileNode extends TreeNode {
	readonly uri: vscode.Uri;
	/** Name of the agent, if the file is an agent file. */
	readonly agentName?: string;
}

/** Renames a file. An agent is named like its file, so run files that name the agent are updated too. */
export async function renameFile({ uri, agentName }: FileNode, runFiles: Pick<RunFileIndex, 'getRunFiles'>): Promise<void> {
	const name = path.posix.basename(uri.path);
	const ending = /(\.run\.jsonc?|\.ya?ml)$/.exec(name)?.[0] ?? '';
	const stem = name.slice(0, name.length - ending.length);
	const taken = new Set((await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(uri, '..'))).map(([file]) => file));
	const given = await vscode.window.showInputBox({
		title: vscode.l10n.t("Rename '{0}'", name),
		prompt: escapeLinks(vscode.l10n.t("New name, without the extension '{0}'", ending)),
		value: stem,
		validateInput: text => {
			if (agentName !== undefined && !/^[\w-]{1,64}$/.test(text.trim())) {
				return vscode.l10n.t('Use 1 to 64 letters, digits, hyphens and underscores.');
			}
			if (text.trim() === '' || /[\\/]/.test(text)) {
				return vscode.l10n.t("Enter a name without '/' or '\\'.");
			}
			return text.trim() !== stem && taken.has(`${text.trim()}${ending}`)
				? vscode.l10n.t('A file with this name already exists.')
				: undefined;
		},
	});
	const renamed = given?.trim() ?? stem;
	if (renamed === stem) {
		return;
	}
	const edit = new vscode.WorkspaceEdit();
	edit.renameFile(uri, vscode.Uri.joinPath(uri, '..', `${renamed}${ending}`));
	const naming = agentName === undefined ? [] : await runFiles.getRunFiles(agentName);
	const documents = await Promise.all(naming.map(file => vscode.workspace.openTextDocument(file)));
	for (const document of documents) {
		const root = parseTree(document.getText());
		const model = root && findNodeAtLocation(root, ['model']);
		if (model) {
			const range = new vscode.Range(document.positionAt(model.offset), document.positionAt(model.offset + model.length));
			edit.replace(document.uri, range, JSON.stringify(renamed));
		}
	}
	const unsaved = new Set(documents.filter(document => document.isDirty));
	await vscode.workspace.applyEdit(edit);
	// save documents that had no unsaved changes before
	await Promise.all(documents.filter(document => !unsaved.has(document)).map(document => document.save()));
}

/** Moves the files of nodes to the trash after asking for confirmation. */
export async function deleteFiles(nodes: readonly TreeNode[]): Promise<void> {
	const uris = nodes.flatMap(node => ('uri' in node && node.uri instanceof vscode.Uri ? [node.uri] : []));
	const [first] = uris;
	if (!first) {
		return;
	}
	const remove = vscode.l10n.t('Move to trash');
	const question =
		uris.length === 1 ? vscode.l10n.t("Delete '{0}'?", path.posix.basename(first.path)) : vscode.l10n.t('Delete {0} files?', uris.length);
	const detail = vscode.l10n.t("You can restore files from the trash. Runs and logs won't be deleted.");
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove) {
		for (const uri of uris) {
			await moveToTrash(uri);
		}
	}
}

/** Moves a file to the trash. If there is no trash, as on machines without a desktop, asks before deleting the file permanently. */
async function moveToTrash(uri: vscode.Uri): Promise<void> {
	try {
		await vscode.workspace.fs.delete(uri, { useTrash: true });
	} catch (error) {
		const remove = vscode.l10n.t('Delete permanently');
		const question = vscode.l10n.t("Couldn't move '{0}' to the trash. Delete permanently?", path.posix.basename(uri.path));
		if ((await vscode.window.showWarningMessage(question, { modal: true, detail: getErrorMessage(error) }, remove)) === remove) {
			await vscode.workspace.fs.delete(uri);
		}
	}
}
