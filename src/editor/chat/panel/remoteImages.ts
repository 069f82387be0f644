import * as vscode from 'vscode';
import { fetchFile } from '../attachments/webFile.ts';

/** Most bytes of a remote image that is shown. */
const byteLimit = 5 * 1024 * 1024;

/** Fetches an image that the user clicked, for the page to show as data: the page itself has no network. */
export async function loadImage(address: string): Promise<{ data: string } | { problem: string }> {
	const fetched = await fetchFile(address, { bytes: byteLimit, images: true }, vscode.l10n);
	return 'problem' in fetched ? fetched : { data: `data:${fetched.type};base64,${fetched.data.toString('base64')}` };
}
