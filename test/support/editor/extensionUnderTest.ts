import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

/** Commands and views in package.json. */
export interface Manifest {
	main: string;
	contributes: {
		commands: { command: string }[];
		views: Record<string, { id: string; type?: 'tree' | 'webview' }[]>;
	};
}

/** Returns the extension that the host tests test: the checkout, or the installed package in `npm run test:vsix`. */
export function getExtensionUnderTest(): vscode.Extension<unknown> {
	const extension = vscode.extensions.getExtension('agent-workbench.agent-workbench');
	if (!extension) {
		throw new Error('The extension agent-workbench.agent-workbench is not in this VS Code');
	}
	return extension;
}

export const getExtensionManifest = (extension: vscode.Extension<unknown>): Manifest => extension.packageJSON as Manifest;

/** Returns the file that VS Code loads to activate the extension, with links resolved as in the module cache. */
export const getMainFile = (extension: vscode.Extension<unknown>): string =>
	fs.realpathSync(path.join(extension.extensionPath, getExtensionManifest(extension).main));
