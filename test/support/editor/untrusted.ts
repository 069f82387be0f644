import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Calls a function while the workspace isn't trusted. */
export async function runInUntrustedWorkspace<T>(act: () => Promise<T>): Promise<T> {
	const trusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
	assert.ok(trusted?.configurable, 'the editor lets tests say whether the workspace is trusted');
	Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, get: () => false });
	try {
		return await act();
	} finally {
		Object.defineProperty(vscode.workspace, 'isTrusted', trusted);
	}
}
