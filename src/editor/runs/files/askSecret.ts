import * as vscode from 'vscode';
import { withoutLinks } from '../../platform/wording.ts';

/** Asks for the value of `${input:NAME:password}`: typed unseen and kept nowhere. `undefined` where the user calls it off. */
export function askSecret(name: string): Thenable<string | undefined> {
	return vscode.window.showInputBox({
		title: name,
		prompt: withoutLinks(vscode.l10n.t('Value for {0}; it is not kept', `\${input:${name}:password}`)),
		password: true,
		ignoreFocusOut: true,
	});
}
