import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { UploadSource } from '#client/call.ts';
import type { FileSource, FormFile } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { kindOfFile, mediaTypeOf } from '#runs/request/fileKind.ts';
import { maxUploadBytes } from '#runs/request/localFiles.ts';

/** Sends a file to the service; its ID is what the answer names it by. */
type Upload = (file: UploadSource) => Promise<{ readonly id: string }>;

/** A file that was chosen for a field and is not uploaded yet. */
export interface LocalFile {
	readonly name: string;
	/** In bytes. */
	readonly size: number;
	readonly uri: vscode.Uri;
}

/** Asks for files for a field, and uploads those that have no address. Empty where the user backs out; rejects for what the field does not take. */
export async function chooseFormFiles(field: FormField, from: FileSource, upload: Upload): Promise<FormFile[]> {
	if (from === 'address') {
		return askFormLink(field);
	}
	return Promise.all((await chooseLocalFiles(field, from)).map(file => uploadLocalFile(field, file, upload)));
}

/** Asks for files of the workspace, or of this machine, for a field. Empty where the user backs out; rejects for what the field does not take. */
export async function chooseLocalFiles(field: FormField, from: 'workspace' | 'machine'): Promise<LocalFile[]> {
	const uris = await (from === 'workspace' ? pickInWorkspace(field) : pickOnDisk(field));
	return Promise.all(uris.map(uri => checkedFile(field, uri)));
}

/** Uploads a file as a field takes it. */
export async function uploadLocalFile(field: FormField, { name, size, uri }: LocalFile, upload: Upload): Promise<FormFile> {
	const type = mediaTypeOf(name);
	const { id } = await upload({ name, data: await vscode.workspace.fs.readFile(uri), ...(type && { type }) });
	return { name, size, file: { type: typeOf(field, name), transfer_method: 'local_file', upload_file_id: id } };
}

/** Asks for the address of a file for a field. */
export async function askFormLink(field: FormField): Promise<FormFile[]> {
	const url = await vscode.window.showInputBox({
		title: vscode.l10n.t('File for “{0}”', labelOf(field)),
		prompt: vscode.l10n.t('Address of the file'),
		placeHolder: 'https://',
		ignoreFocusOut: true,
		validateInput: text =>
			/^https?:\/\//i.test(text) && URL.canParse(text)
				? undefined
				: vscode.l10n.t('An address that begins with http:// or https:// is expected.'),
	});
	if (url === undefined) {
		return [];
	}
	const name = path.posix.basename(new URL(url).pathname) || url;
	return [{ name, file: { type: typeOf(field, name), transfer_method: 'remote_url', url } }];
}

/** The file as it lies there now; rejects for one that the field does not take. */
async function checkedFile(field: FormField, uri: vscode.Uri): Promise<LocalFile> {
	const name = path.posix.basename(uri.path);
	if (!isTaken(field, name)) {
		const takes = [...field.fileTypes.filter(type => type !== 'custom'), ...field.extensions].join(', ');
		throw new Problem('wrong-file', vscode.l10n.t('{0} is not taken for “{1}”: {2} is expected.', name, labelOf(field), takes));
	}
	const { size } = await vscode.workspace.fs.stat(uri);
	const largest = Math.min(maxUploadBytes, field.largest ?? maxUploadBytes);
	if (size > largest) {
		const [has, most] = [size, largest].map(bytes => (bytes / 1048576).toFixed(bytes < 10 * 1048576 ? 1 : 0).replace(/\.0$/, ''));
		throw new Problem('too-large', vscode.l10n.t('{0} has {1} MB: at most {2} MB are expected.', name, has ?? '', most ?? ''));
	}
	return { name, size, uri };
}

interface FileItem extends vscode.QuickPickItem {
	readonly uri: vscode.Uri;
}

/** More files of a workspace are not offered; all others are found on the disk. */
const mostOffered = 5000;

async function pickInWorkspace(field: FormField): Promise<readonly vscode.Uri[]> {
	const items = vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', mostOffered).then(uris =>
		uris
			.filter(({ path: name }) => isTaken(field, name))
			.sort((a, b) => (a.path < b.path ? -1 : 1))
			.map((uri): FileItem => {
				const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
				return { label: path.posix.basename(uri.path), uri, ...(folder === '.' ? {} : { description: folder }) };
			}),
	);
	const options = { title: titleOf(field), placeHolder: vscode.l10n.t('File of the workspace'), matchOnDescription: true };
	if (field.kind === 'file-list') {
		return ((await vscode.window.showQuickPick(items, { ...options, canPickMany: true })) ?? []).map(({ uri }) => uri);
	}
	const picked = await vscode.window.showQuickPick(items, options);
	return picked ? [picked.uri] : [];
}

async function pickOnDisk(field: FormField): Promise<readonly vscode.Uri[]> {
	const endings = field.fileTypes.includes('custom') ? field.extensions.map(ending => ending.replace(/^\./, '')) : [];
	return (
		(await vscode.window.showOpenDialog({
			title: titleOf(field),
			canSelectMany: field.kind === 'file-list',
			openLabel: vscode.l10n.t('Choose'),
			...(endings.length > 0 && field.fileTypes.length === 1 ? { filters: { [labelOf(field)]: endings } } : {}),
		})) ?? []
	);
}

/** Whether a field takes a file of this name. Its own endings count where it names any. */
function isTaken({ fileTypes, extensions }: FormField, name: string): boolean {
	const isOwn =
		extensions.length === 0 || extensions.some(ending => name.toLowerCase().endsWith(`.${ending.replace(/^\./, '').toLowerCase()}`));
	return fileTypes.length === 0 || fileTypes.includes(kindOfFile(name)) || (fileTypes.includes('custom') && isOwn);
}

/** Kind of a file, as the field takes it: what is none of its kinds passes as one of its own endings. */
function typeOf({ fileTypes }: FormField, name: string): FormFile['file']['type'] {
	const kind = kindOfFile(name);
	return fileTypes.length === 0 || fileTypes.includes(kind) || !fileTypes.includes('custom') ? kind : 'custom';
}

function labelOf({ name, label }: FormField): string {
	return label ?? name;
}

function titleOf(field: FormField): string {
	return vscode.l10n.t('Files for “{0}”', labelOf(field));
}
