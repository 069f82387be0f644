import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { isUnencrypted } from '../connections/baseUrl.ts';

/** Opens an address that a deployment has named, in the user's browser. Rejects where it is no web address, or one that sends sign-ins in the open. */
export async function openInBrowser(address: string): Promise<void> {
	const url = URL.parse(address);
	if (!url || !/^https?:$/.test(url.protocol) || isUnencrypted(address)) {
		const message = vscode.l10n.t('{0} is not opened: expected an address that begins with https://.', address);
		throw new Problem('wrong-address', message);
	}
	await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
