import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { UploadSource } from '#client/call.ts';
import type { FileSource, FormFile } from '#runs/forms/formAnswer.ts';
import type { FormField } from '#runs/forms/runForm.ts';
import { getFileKind, getMediaType } from '#runs/request/fileKind.ts';
import { maxUploadBytes } from '#runs/request/localFiles.ts';

/** Uploads a file to the service. The answer refers to the file by the returned ID. */
type Upload = (file: UploadSource) => Promise<{ readonly id: string }>;

/** A file that was chosen for a field but isn't uploaded yet. */
export interface LocalFile {
	readonly name: string;
	/** Size in bytes. */
	readonly size: number;
	readonly uri: vscode.Uri;
}

/**
 * Asks for files for a field, and uploads local ones. Returns an empty list if the user cancels. Rejects if the field doesn't accept a
 * file.
 */
export async function chooseFormFiles(field: FormField, from: FileSource, upload: Upload): Promise<FormFile[]> {
	if (from === 'address') {
		return askFormLink(field);
	}
	return Promise.all((await chooseLocalFiles(field, from)).map(file => uploadLocalFile(field, file, upload)));
}

/**
 * Asks for files in the workspace or on this machine. Returns an empty list if the user cancels. Rejects if the field doesn't accept a
 * file.
 */
export async function chooseLocalFiles(field: FormField, from: 'workspace' | 'machine'): Promise<LocalFile[]> {
	const uris = await (from === 'workspace' ? pickWorkspaceFiles(field) : pickLocalFiles(field));
	return Promise.all(uris.map(uri => checkFile(field, uri)));
}

/** Uploads a file for a field. */
export async function uploadLocalFile(field: FormField, { name, size, uri }: LocalFile, upload: Upload): Promise<FormFile> {
	const type = getMediaType(name);
	const { id } = await upload({ name, data: await vscode.workspace.fs.readFile(uri), ...(type && { type }) });
	return { name, size, file: { type: getFileType(field, name), transfer_method: 'local_file', upload_file_id: id } };
}

/** Asks for the URL of a file for a field. */
export async function askFormLink(field: FormField): Promise<FormFile[]> {
	const url = await vscode.window.showInputBox({
		title: vscode.l10n.t("File for '{0}'", getFieldLabel(field)),
		prompt: vscode.l10n.t('URL of the file'),
		placeHolder: 'https://',
		ignoreFocusOut: true,
		validateInput: text =>
			/^https?:\/\//i.test(text) && URL.canParse(text) ? undefined : vscode.l10n.t('Enter a URL that starts with http:// or https://.'),
	});
	if (url === undefined) {
		return [];
	}
	const name = path.posix.basename(new URL(url).pathname) || url;
	return [{ name, file: { type: getFileType(field, name), transfer_method: 'remote_url', url } }];
}

/** Checks a file against the types and the size that the field accepts. */
async function checkFile(field: FormField, uri: vscode.Uri): Promise<LocalFile> {
	const name = path.posix.basename(uri.path);
	if (!isAcceptedFile(field, name)) {
		const takes = [...field.fileTypes.filter(type => type !== 'custom'), ...field.extensions].join(', ');
		throw new Problem('wrong-file', vscode.l10n.t("'{1}' doesn't accept '{0}'. Expected types: {2}.", name, getFieldLabel(field), takes));
	}
	const { size } = await vscode.workspace.fs.stat(uri);
	const largest = Math.min(maxUploadBytes, field.largest ?? maxUploadBytes);
	if (size > largest) {
		const [has, most] = [size, largest].map(bytes => (bytes / 1048576).toFixed(bytes < 10 * 1048576 ? 1 : 0).replace(/\.0$/, ''));
		throw new Problem('too-large', vscode.l10n.t("'{0}' is too large ({1} MB). The limit is {2} MB.", name, has ?? '', most ?? ''));
	}
	return { name, size, uri };
}

interface FileItem extends vscode.QuickPickItem {
	readonly uri: vscode.Uri;
}

/** Maximum number of workspace files in the list. Others can be chosen with the file dialog. */
const mostOffered = 5000;

async function pickWorkspaceFiles(field: FormField): Promise<readonly vscode.Uri[]> {
	const items = vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**', mostOffered).then(uris =>
		uris
			.filter(({ path: name }) => isAcceptedFile(field, name))
			.sort((a, b) => (a.path < b.path ? -1 : 1))
			.map((uri): FileItem => {
				const folder = path.posix.dirname(vscode.workspace.asRelativePath(uri));
				return { label: path.posix.basename(uri.path), uri, ...(folder === '.' ? {} : { description: folder }) };
			}),
	);
	const options = { title: getFilesTitle(field), placeHolder: vscode.l10n.t('Select a file in the workspace'), matchOnDescription: true };
	if (field.kind === 'file-list') {
		return ((await vscode.window.showQuickPick(items, { ...options, canPickMany: true })) ?? []).map(({ uri }) => uri);
	}
	const picked = await vscode.window.showQuickPick(items, options);
	return picked ? [picked.uri] : [];
}

async function pickLocalFiles(field: FormField): Promise<readonly vscode.Uri[]> {
	const endings = field.fileTypes.includes('custom') ? field.extensions.map(ending => ending.replace(/^\./, '')) : [];
	return (
		(await vscode.window.showOpenDialog({
			title: getFilesTitle(field),
			canSelectMany: field.kind === 'file-list',
			openLabel: vscode.l10n.t({ message: 'Select', comment: ['verb: button that uses the chosen files'] }),
			...(endings.length > 0 && field.fileTypes.length === 1 ? { filters: { [getFieldLabel(field)]: endings } } : {}),
		})) ?? []
	);
}

/** True if a field accepts a file with this name. */
function isAcceptedFile({ fileTypes, extensions }: FormField, name: string): boolean {
	const isOwn =
		extensions.length === 0 || extensions.some(ending => name.toLowerCase().endsWith(`.${ending.replace(/^\./, '').toLowerCase()}`));
	return fileTypes.length === 0 || fileTypes.includes(getFileKind(name)) || (fileTypes.includes('custom') && isOwn);
}

/** Returns the type of a file for a field. This is `custom` if the field accepts the file only because of its extension. */
function getFileType({ fileTypes }: FormField, name: string): FormFile['file']['type'] {
	const kind = getFileKind(name);
	return fileTypes.length === 0 || fileTypes.includes(kind) || !fileTypes.includes('custom') ? kind : 'custom';
}

function getFieldLabel({ name, label }: FormField): string {
	return label ?? name;
}

function getFilesTitle(field: FormField): string {
	return vscode.l10n.t("Files for '{0}'", getFieldLabel(field));
}
