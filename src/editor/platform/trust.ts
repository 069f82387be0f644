import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/**
 * True if the user trusts this workspace (decision 15). Check it before running anything that workspace files define, or sending their content.
 * A test makes sure that no other code asks the editor directly.
 */
export function isTrusted(): boolean {
	return vscode.workspace.isTrusted;
}

/** Calls `listener` when the user trusts this workspace. */
export function onDidGrantTrust(listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidGrantWorkspaceTrust(listener);
}

/** Throws a {@link Problem} `untrusted` unless the user trusts this workspace. Call it before running anything from the workspace. */
export function requireTrust(): void {
	if (!isTrusted()) {
		throw createUntrustedProblem();
	}
}

/** Creates the problem of running an agent file in an untrusted workspace. */
export function createUntrustedProblem(): Problem {
	return new Problem('untrusted', vscode.l10n.t('Agent files can only be used in a trusted workspace.'), {
		title: vscode.l10n.t('Manage trust'),
		command: 'workbench.trust.manage',
	});
}
