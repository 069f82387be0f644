import * as vscode from 'vscode';

/** Icon of an editor tab of ours. An image of a tab takes no colour from its theme, so there is one for each. */
export function tabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
	const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `tab-${theme}.svg`);
	return { light: icon('light'), dark: icon('dark') };
}
