import * as vscode from 'vscode';
import { escapeLinks } from '../../platform/wording.ts';

/** Asks for the value of `${input:NAME:password}` in a password box, without storing it. Returns `undefined` if the user cancels. */
export function askSecret(name: string): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: name,
		prompt: escapeLinks(vscode.l10n.t("Value for '{0}' (not saved)", `\${input:${name}:password}`)),
		password: true,
		ignoreFocusOut: true,
	});
}
