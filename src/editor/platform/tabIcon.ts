import * as vscode from 'vscode';

/** Returns the icon of our editor tabs, for light and dark themes, because tab images can't use theme colors. */
export function getTabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
	const createIconUri = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `tab-${theme}.svg`);
	return { light: createIconUri('light'), dark: createIconUri('dark') };
}
