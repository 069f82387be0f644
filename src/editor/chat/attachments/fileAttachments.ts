import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { MentionedFile } from '#pages/chat/panel/panelProtocol.ts';
import type { MessageAttachment } from '#pages/chat/transcript/transcript.ts';
import { isEditableScheme } from '../../platform/names.ts';
import type { Chat } from '../transcripts/chat.ts';
import { checkFileSize, createAttachment, createFileAttachment, imageByteLimit } from './attachments.ts';
import type { DocumentTexts } from './documentTexts.ts';

/** Maximum number of files to suggest after the user types `#`. */
const offered = 20;

/** Attaches files by URI. Refuses web addresses, which can be dropped too, without fetching them. */
export async function attachUris(chat: Chat, documents: DocumentTexts, uris: readonly vscode.Uri[]): Promise<void> {
	const made: MessageAttachment[] = [];
	for (const uri of uris) {
		if (uri.scheme === 'http' || uri.scheme === 'https') {
			throw new Problem('attachment', vscode.l10n.t("'{0}' is a web address. Only files can be attached.", uri.toString(true)));
		}
		made.push(
			await createFileAttachment(vscode.l10n, documents, vscode.workspace.asRelativePath(uri), await readFileBytes(uri), uri.toString()),
		);
	}
	const known = new Set(
		chat.transcript.attachments.flatMap(({ part }) => (part.kind !== 'image' && part.uri && !('lines' in part) ? [part.uri] : [])),
	);
	const fresh = made.filter(({ part }) => part.kind === 'image' || !part.uri || !known.has(part.uri));
	chat.updateFields({ attachments: [...chat.transcript.attachments, ...fresh] });
}

/** Reads a file, including its unsaved changes. Throws without reading it if it's too large for any attachment. */
async function readFileBytes(uri: vscode.Uri): Promise<Uint8Array> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	if (open && (open.isDirty || open.isUntitled)) {
		return Buffer.from(open.getText());
	}
	const { type, size } = await vscode.workspace.fs.stat(uri);
	const name = vscode.workspace.asRelativePath(uri);
	if (type & vscode.FileType.Directory) {
		throw new Problem('attachment', vscode.l10n.t("'{0}' is a folder. Attach files from it instead.", name));
	}
	checkFileSize(vscode.l10n, name, size, imageByteLimit);
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

export async function pickFiles(chat: Chat, documents: DocumentTexts): Promise<void> {
	const uris = await vscode.window.showOpenDialog({
		canSelectMany: true,
		title: vscode.l10n.t('Select files to attach'),
		openLabel: vscode.l10n.t('Attach'),
	});
	if (uris) {
		await attachUris(chat, documents, uris);
	}
}

/** Finds workspace files whose path contains the text. Lists open files first. */
export async function findFiles(query: string): Promise<MentionedFile[]> {
	const open = vscode.window.tabGroups.all.flatMap(group =>
		group.tabs.flatMap(tab => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : [])),
	);
	const escaped = query.replaceAll(/[[\]{}*?!,]/g, '?');
	const found = await vscode.workspace.findFiles(query ? `**/*${toCaseInsensitiveGlob(escaped)}*` : '**/*', getExcludedGlob(), offered);
	const matchesQuery = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri).toLowerCase().includes(query.toLowerCase());
	const all = new Map(
		[...open.filter(uri => isEditableScheme(uri.scheme) && matchesQuery(uri)), ...found].map(uri => [uri.toString(), uri]),
	);
	return [...all.values()].slice(0, offered).map(uri => {
		const relative = vscode.workspace.asRelativePath(uri);
		const cut = relative.lastIndexOf('/');
		return { uri: uri.toString(), name: relative.slice(cut + 1), folder: cut < 0 ? '' : relative.slice(0, cut) };
	});
}

/** Returns a glob that matches excluded files: those in the exclude settings, in `node_modules` and in `.git`. */
function getExcludedGlob(): string {
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
