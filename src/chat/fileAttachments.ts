import * as vscode from 'vscode';
import { Problem } from '../common/problems.ts';
import { attachmentOf, checkSize, imageByteLimit } from './attachments.ts';
import type { Chat } from './chat.ts';
import type { MentionedFile } from './panelProtocol.ts';
import type { Attachment } from './transcript.ts';

/** Most files that `#` offers at once. */
const offered = 20;

/** Attaches files by their URIs. Only files of the machine or its workspace: a dropped web address is not fetched. */
export async function attachUris(chat: Chat, uris: readonly vscode.Uri[]): Promise<void> {
	const made: Attachment[] = [];
	for (const uri of uris) {
		if (uri.scheme === 'http' || uri.scheme === 'https') {
			throw new Problem('attachment', vscode.l10n.t('{0} is an address, not a file.', uri.toString(true)));
		}
		made.push(attachmentOf(vscode.l10n, vscode.workspace.asRelativePath(uri), await bytesOf(uri), uri.toString()));
	}
	const known = new Set(
		chat.transcript.attachments.flatMap(({ part }) => (part.kind === 'file' && part.uri && !part.lines ? [part.uri] : [])),
	);
	const fresh = made.filter(({ part }) => part.kind !== 'file' || !part.uri || !known.has(part.uri));
	chat.update({ attachments: [...chat.transcript.attachments, ...fresh] });
}

/** A file's bytes. What is too large for any attachment is not read. */
async function bytesOf(uri: vscode.Uri): Promise<Uint8Array> {
	const { type, size } = await vscode.workspace.fs.stat(uri);
	const name = vscode.workspace.asRelativePath(uri);
	if (type & vscode.FileType.Directory) {
		throw new Problem('attachment', vscode.l10n.t('{0} is a folder. Attach files of it.', name));
	}
	checkSize(vscode.l10n, name, size, imageByteLimit);
	return vscode.workspace.fs.readFile(uri);
}

/** Attaches what is selected in an editor, or the whole file where nothing is. */
export function attachSelection(chat: Chat, editor: vscode.TextEditor): void {
	const { document, selection } = editor;
	const name = vscode.workspace.asRelativePath(document.uri);
	const text = document.getText(selection.isEmpty ? undefined : selection);
	const attachment = attachmentOf(vscode.l10n, name, Buffer.from(text), document.uri.toString());
	const lines = `${selection.start.line + 1}-${selection.end.line + 1}`;
	const { part } = attachment;
	const placed = part.kind === 'file' ? { ...part, language: document.languageId, ...(!selection.isEmpty && { lines }) } : part;
	chat.update({ attachments: [...chat.transcript.attachments, { ...attachment, part: placed }] });
}

/** Lets the user choose files to attach. */
export async function pickFiles(chat: Chat): Promise<void> {
	const uris = await vscode.window.showOpenDialog({
		canSelectMany: true,
		title: vscode.l10n.t('Attach files'),
		openLabel: vscode.l10n.t('Attach'),
	});
	if (uris) {
		await attachUris(chat, uris);
	}
}

/** Files of the workspace whose path holds the text; open ones first. */
export async function findFiles(query: string): Promise<MentionedFile[]> {
	const open = vscode.window.tabGroups.all.flatMap(group =>
		group.tabs.flatMap(tab => (tab.input instanceof vscode.TabInputText ? [tab.input.uri] : [])),
	);
	const escaped = query.replaceAll(/[[\]{}*?!,]/g, '?');
	const found = query
		? await vscode.workspace.findFiles(`**/*${anyCase(escaped)}*`, undefined, offered)
		: await vscode.workspace.findFiles('**/*', undefined, offered);
	const holds = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri).toLowerCase().includes(query.toLowerCase());
	const all = new Map([...open.filter(uri => uri.scheme === 'file' && holds(uri)), ...found].map(uri => [uri.toString(), uri]));
	return [...all.values()].slice(0, offered).map(uri => {
		const relative = vscode.workspace.asRelativePath(uri);
		const cut = relative.lastIndexOf('/');
		return { uri: uri.toString(), name: relative.slice(cut + 1), folder: cut < 0 ? '' : relative.slice(0, cut) };
	});
}

/** Opens a file that is quoted in the chat, at its lines (`10-32`). */
export async function openPlace(uri: vscode.Uri, lines: string | undefined): Promise<void> {
	const [from, to] = (lines ?? '').split('-').map(line => Number(line) - 1);
	const selection = from !== undefined && to !== undefined && from >= 0 ? new vscode.Range(from, 0, to + 1, 0) : undefined;
	await vscode.window.showTextDocument(uri, { preview: true, ...(selection && { selection }) });
}

/** Glob for a text in any case: globs of the editor tell cases apart on some systems. */
function anyCase(text: string): string {
	return [...text].map(c => (c.toLowerCase() === c.toUpperCase() ? c : `[${c.toLowerCase()}${c.toUpperCase()}]`)).join('');
}
