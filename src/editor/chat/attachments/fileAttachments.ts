import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import { isEditableScheme } from '../../platform/names.ts';
import type { MessageContext } from '../context/messageContext.ts';
import type { Chat } from '../transcripts/chat.ts';
import { checkFileSize, createAttachment, createFileAttachment, imageByteLimit } from './attachments.ts';
import type { DocumentTexts } from './documentTexts.ts';

/** Attaches files and folders by URI. Refuses web addresses, which can be dropped too, without fetching them. */
export async function attachUris(chat: Chat, context: MessageContext, uris: readonly vscode.Uri[]): Promise<void> {
	for (const uri of uris) {
		if (uri.scheme === 'http' || uri.scheme === 'https') {
			throw new Problem('attachment', vscode.l10n.t("'{0}' is a web address. Only files can be attached.", uri.toString(true)));
		}
		await context.attach(chat, `${(await isFolder(uri)) ? 'folders' : 'files'}:${uri}`);
	}
}

/** Creates an attachment from a file, with its unsaved changes. */
export async function createUriAttachment(documents: DocumentTexts, uri: vscode.Uri): Promise<MessageAttachment> {
	return createFileAttachment(vscode.l10n, documents, vscode.workspace.asRelativePath(uri), await readFileBytes(uri), uri.toString());
}

function isFolder(uri: vscode.Uri): Thenable<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		({ type }) => (type & vscode.FileType.Directory) !== 0,
		() => false,
	);
}

/** Reads a file, including its unsaved changes. Throws without reading it if it's too large for any attachment. */
export async function readFileBytes(uri: vscode.Uri): Promise<Uint8Array> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	if (open && (open.isDirty || open.isUntitled)) {
		return Buffer.from(open.getText());
	}
	const { size } = await vscode.workspace.fs.stat(uri);
	checkFileSize(vscode.l10n, vscode.workspace.asRelativePath(uri), size, imageByteLimit);
	return vscode.workspace.fs.readFile(uri);
}

/** Attaches an editor's selection, or the whole file if nothing is selected. */
export function attachSelection(chat: Chat, editor: vscode.TextEditor): void {
	const { document, selection } = editor;
	const name = vscode.workspace.asRelativePath(document.uri);
	const text = document.getText(selection.isEmpty ? undefined : selection);
	const attachment = createAttachment(vscode.l10n, name, Buffer.from(text), document.uri.toString());
	const lines = `${selection.start.line + 1}-${selection.end.line + 1}`;
	const { part } = attachment;
	const placed = part.kind === 'file' ? { ...part, language: document.languageId, ...(!selection.isEmpty && { lines }) } : part;
	chat.updateFields({ attachments: [...chat.transcript.attachments, { ...attachment, part: placed }] });
}

export async function pickFiles(chat: Chat, context: MessageContext): Promise<void> {
	const uris = await vscode.window.showOpenDialog({
		canSelectMany: true,
		title: vscode.l10n.t('Select files to attach'),
		openLabel: vscode.l10n.t('Attach'),
	});
	if (uris) {
		await attachUris(chat, context, uris);
	}
}

/** Finds at most `limit` workspace files whose path contains the text. Lists the best matches of the name first, and then open files. */
export async function findFileUris(query: string, limit: number): Promise<vscode.Uri[]> {
	const open = vscode.window.tabGroups.all.flatMap(group =>
		group.tabs.flatMap(tab => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : [])),
	);
	const typed = toCaseInsensitiveGlob(query.replaceAll(/[[\]{}*?!,]/g, '?'));
	const findFiles = (glob: string) => vscode.workspace.findFiles(glob, getExcludedGlob(), limit);
	// VS Code stops at the limit in any order, so the file with this name has its own search
	const found = query ? await Promise.all([findFiles(`**/{${typed},${typed}.*}`), findFiles(`**/*${typed}*`)]) : [await findFiles('**/*')];
	const matchesQuery = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri).toLowerCase().includes(query.toLowerCase());
	const all = new Map(
		[...open.filter(uri => isEditableScheme(uri.scheme) && matchesQuery(uri)), ...found.flat()].map(uri => [uri.toString(), uri]),
	);
	return [...all.values()].sort((a, b) => rankPath(a.path, query) - rankPath(b.path, query)).slice(0, limit);
}

/** Returns how well the end of a path matches a text, from 0 for exactly this name. */
export function rankPath(path: string, query: string): number {
	const [end, wanted] = [path.toLowerCase(), query.toLowerCase()];
	if (wanted === '') {
		return 0;
	}
	const start = end.lastIndexOf(`/${wanted}`);
	const matches = [
		end.endsWith(`/${wanted}`),
		end.replace(/\.[^./]+$/, '').endsWith(`/${wanted}`),
		start >= 0 && !end.slice(start + 1 + wanted.length).includes('/'),
	];
	const best = matches.indexOf(true);
	return best < 0 ? matches.length : best;
}

/** Returns a glob that matches excluded files: those in the exclude settings, in `node_modules` and in `.git`. */
export function getExcludedGlob(): string {
	const set = ['files.exclude', 'search.exclude'].flatMap(name =>
		Object.entries(vscode.workspace.getConfiguration().get<Record<string, unknown>>(name, {})).flatMap(([glob, on]) =>
			on === true ? [glob] : [],
		),
	);
	// skip globs with braces, because braces can't be nested
	return `{${[...new Set(['**/node_modules/**', '**/.git/**', ...set.filter(glob => !/[{}]/.test(glob))])].join(',')}}`;
}

/** Opens a file and selects a range of lines such as `10-32`. */
export async function openFileAtLines(uri: vscode.Uri, lines: string | undefined): Promise<void> {
	const [from, to] = (lines ?? '').split('-').map(line => Number(line) - 1);
	const selection = from !== undefined && to !== undefined && from >= 0 ? new vscode.Range(from, 0, to + 1, 0) : undefined;
	await vscode.window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
}

/** Returns a glob that matches a text in any case, because VS Code's globs are case-sensitive on some systems. */
function toCaseInsensitiveGlob(text: string): string {
	return [...text].map(c => (c.toLowerCase() === c.toUpperCase() ? c : `[${c.toLowerCase()}${c.toUpperCase()}]`)).join('');
}
