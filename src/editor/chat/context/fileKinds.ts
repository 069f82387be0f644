import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { Mention } from '#pages/chat/panel/panelProtocol.ts';
import { isInsideWorkspace } from '../../platform/fileScopes.ts';
import { checkFileSize, createAttachment, textByteLimit } from '../attachments/attachments.ts';
import type { DocumentTexts } from '../attachments/documentTexts.ts';
import { createUriAttachment, findFileUris, getExcludedGlob, readFileBytes } from '../attachments/fileAttachments.ts';
import { quoteFile } from '../endpoints/endpoint.ts';
import type { AttachablePart, ContextKind } from './messageContext.ts';

/** Maximum number of files of an attached folder. */
const mostFiles = 200;
/** Maximum number of files to look at for the names of folders. */
const mostScanned = 5000;

/** Creates a suggestion of a file or folder, with its folder as detail. */
export function createFileMention(kind: string, icon: string, uri: vscode.Uri): Mention {
	const relative = vscode.workspace.asRelativePath(uri);
	const cut = relative.lastIndexOf('/');
	const name = relative.slice(cut + 1);
	return { source: `${kind}:${uri}`, icon, name, detail: cut < 0 ? '' : relative.slice(0, cut), text: name };
}

/** The files of the workspace, and open ones. */
export function createFileKind(documents: DocumentTexts): ContextKind {
	return {
		id: 'files',
		icon: 'file',
		label: vscode.l10n.t('Files'),
		find: async (query, alone) => (await findFileUris(query, alone ? 30 : 20)).map(uri => createFileMention('files', 'file', uri)),
		read: async reference => (await createUriAttachment(documents, vscode.Uri.parse(reference))).part,
	};
}

/** The folders of the workspace. */
export function createFolderKind(): ContextKind {
	return {
		id: 'folders',
		icon: 'folder',
		label: vscode.l10n.t('Folders'),
		find: async (query, alone) =>
			query || alone ? (await findFolders(query)).map(uri => createFileMention('folders', 'folder', uri)) : [],
		read: reference => readFolder(vscode.Uri.parse(reference)),
	};
}

/** Finds folders by the files in them, because VS Code only searches files. */
async function findFolders(query: string): Promise<vscode.Uri[]> {
	const files = await vscode.workspace.findFiles('**/*', getExcludedGlob(), mostScanned);
	const found = new Map<string, vscode.Uri>();
	for (const file of files) {
		const root = vscode.workspace.getWorkspaceFolder(file)?.uri;
		for (let uri = vscode.Uri.joinPath(file, '..'); root && uri.path.length > root.path.length; uri = vscode.Uri.joinPath(uri, '..')) {
			if (found.has(uri.toString())) {
				break;
			}
			found.set(uri.toString(), uri);
		}
	}
	return [...found.values()]
		.filter(uri => vscode.workspace.asRelativePath(uri).toLowerCase().includes(query.toLowerCase()))
		.sort((a, b) => a.path.length - b.path.length || a.path.localeCompare(b.path));
}

/** Reads the text files in a folder and its folders. Skips other files and excluded ones. */
async function readFolder(uri: vscode.Uri): Promise<AttachablePart> {
	const name = `${vscode.workspace.asRelativePath(uri)}/`;
	const files = await vscode.workspace.findFiles(new vscode.RelativePattern(uri, '**/*'), getExcludedGlob(), mostFiles + 1);
	if (files.length > mostFiles) {
		throw new Problem('attachment', vscode.l10n.t("'{0}' has more than {1} files. Attach a smaller folder, or files.", name, mostFiles));
	}
	const texts: string[] = [];
	const skipped: string[] = [];
	let bytes = 0;
	for (const file of files.sort((a, b) => a.path.localeCompare(b.path))) {
		const part = await readTextFile(file);
		if (part) {
			const text = quoteFile(part);
			texts.push(text);
			bytes += Buffer.byteLength(text);
			checkFileSize(vscode.l10n, name, bytes, textByteLimit);
		} else {
			skipped.push(vscode.workspace.asRelativePath(file));
		}
	}
	if (texts.length === 0) {
		throw new Problem('attachment', vscode.l10n.t("'{0}' has no text files.", name));
	}
	// tells the model that the folder has more files
	const rest = skipped.length > 0 ? [`Not included, because they're large, not text or links to other folders: ${skipped.join(', ')}`] : [];
	return { kind: 'file', name, language: 'markdown', text: [...texts, ...rest].join('\n\n') };
}

/** Reads a file. Returns undefined if it isn't text, too large to attach, or outside the workspace. */
async function readTextFile(uri: vscode.Uri): Promise<Extract<AttachablePart, { kind: 'file' }> | undefined> {
	if (!isInsideWorkspace(uri)) {
		return undefined;
	}
	try {
		const { part } = createAttachment(vscode.l10n, vscode.workspace.asRelativePath(uri), await readFileBytes(uri));
		return part.kind === 'file' ? part : undefined;
	} catch (error) {
		if (error instanceof Problem) {
			return undefined;
		}
		throw error;
	}
}
