import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';

/**
 * The one place that knows whether the user trusts this workspace (decision 15). Asked by whatever could run what its files say or send what
 * they hold on their word alone; a test holds that nobody asks the editor past it.
 */
export function isTrusted(): boolean {
	return vscode.workspace.isTrusted;
}

/** Calls back when the user trusts this workspace from now on. */
export function onDidGrantTrust(listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidGrantWorkspaceTrust(listener);
}

/** Throws a {@link Problem} `untrusted` unless the user trusts this workspace: to be called before anything of it runs. */
export function requireTrust(): void {
	if (!isTrusted()) {
		throw untrustedWorkspace();
	}
}

/** Why there is no agent of the built-in gateway in a workspace that is not trusted. */
export function untrustedWorkspace(): Problem {
	return new Problem('untrusted', vscode.l10n.t('Agent files run once this workspace is trusted.'), {
		title: vscode.l10n.t('Manage trust'),
		command: 'workbench.trust.manage',
	});
}
