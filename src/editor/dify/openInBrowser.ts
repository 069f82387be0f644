import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { isUnencrypted } from '../connections/baseUrl.ts';

/**
 * Opens an address from a deployment in the user's browser. Rejects if the address isn't that of a web page, or would send credentials
 * without encryption.
 */
export async function openInBrowser(address: string): Promise<void> {
	const url = URL.parse(address);
	if (!url || !/^https?:$/.test(url.protocol) || isUnencrypted(address)) {
		const message = vscode.l10n.t("Couldn't open '{0}'. Expected an https:// address.", address);
		throw new Problem('wrong-address', message);
	}
	await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
