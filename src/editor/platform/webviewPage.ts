import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Folders that the page of a webview may load from. */
export function webviewRoots(extensionUri: vscode.Uri): vscode.Uri[] {
	return [vscode.Uri.joinPath(extensionUri, 'dist', 'webview'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/**
 * The page of a webview, `NAME.js` and `NAME-style.css` of the build: nothing but our own script, style and icon font; pictures come as data;
 * no request leaves it.
 */
export function webviewPage(
	webview: vscode.Webview,
	extensionUri: vscode.Uri,
	name: 'chat' | 'inspector' | 'inputs' | 'logs' | 'results' | 'graph' | 'usage',
	title: string,
): string {
	const nonce = randomBytes(18).toString('base64');
	const address = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', ...path)).toString();
	const policy = [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		// vscode-elements sets widths of its own as style attributes
		`style-src ${webview.cspSource} 'unsafe-inline'`,
		`font-src ${webview.cspSource}`,
		`img-src ${webview.cspSource} data:`,
		'media-src data:',
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
	return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>
<link rel="stylesheet" href="${address('codicons', 'codicon.css')}" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${address(`${name}-style.css`)}">
</head>
<body>
<script type="module" nonce="${nonce}" src="${address(`${name}.js`)}"></script>
</body>
</html>`;
}
