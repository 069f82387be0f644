import { createRequire } from 'node:module';
import type * as vscode from 'vscode';
import { extensionUnderTest, mainFileOf } from '../../support/editor/extensionUnderTest.ts';

/** The API object that VS Code hands the installed extension; each extension, and the tests, have one of their own. */
export function installedApi(): typeof vscode {
	return createRequire(mainFileOf(extensionUnderTest()))('vscode') as typeof vscode;
}
