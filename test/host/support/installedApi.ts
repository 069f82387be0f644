import { createRequire } from 'node:module';
import type * as vscode from 'vscode';
import { getExtensionUnderTest, getMainFile } from '../../support/editor/extensionUnderTest.ts';

/** Returns the API object of the installed extension; VS Code gives each extension, and the tests, a separate one. */
export function getInstalledApi(): typeof vscode {
	return createRequire(getMainFile(getExtensionUnderTest()))('vscode') as typeof vscode;
}
