import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

/** What package.json says of commands and views. */
export interface Manifest {
	main: string;
	contributes: {
		commands: { command: string }[];
		views: Record<string, { id: string; type?: 'tree' | 'webview' }[]>;
	};
}

/** The extension that the host tests are about: the checkout, or the installed package under `npm run test:vsix`. */
export function extensionUnderTest(): vscode.Extension<unknown> {
	const extension = vscode.extensions.getExtension('agent-workbench.agent-workbench');
	if (!extension) {
		throw new Error('The extension agent-workbench.agent-workbench is not in this VS Code');
	}
	return extension;
}

export const manifestOf = (extension: vscode.Extension<unknown>): Manifest => extension.packageJSON as Manifest;

/** The file that VS Code loads to activate the extension, links resolved as in the module cache. */
export const mainFileOf = (extension: vscode.Extension<unknown>): string =>
	fs.realpathSync(path.join(extension.extensionPath, manifestOf(extension).main));
