import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/**
 * True if the user trusts this workspace (decision 15). Must be checked before running anything that workspace files define, and before
 * sending their content. A test makes sure that no other code asks the editor directly.
 */
export function isWorkspaceTrusted(): boolean {
	return vscode.workspace.isTrusted;
}

/** Calls `listener` when the user trusts this workspace. */
export function onDidGrantTrust(listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidGrantWorkspaceTrust(listener);
}

/**
 * Throws a {@link Problem} `untrusted` unless the user trusts this workspace. Must be called before running anything from the workspace.
 */
export function requireTrust(): void {
	if (!isWorkspaceTrusted()) {
		throw createUntrustedProblem();
	}
}

/** Creates the problem that is reported when an agent file, or what the message names, would be used in an untrusted workspace. */
export function createUntrustedProblem(message = vscode.l10n.t('Agent files can only be used in a trusted workspace.')): Problem {
	return new Problem('untrusted', message, {
		title: vscode.l10n.t('Manage trust'),
		command: 'workbench.trust.manage',
	});
}
