import * as vscode from 'vscode';
import { Problem } from './problems.ts';

/** Why there is no agent of the built-in gateway in a workspace that is not trusted. */
export function untrustedWorkspace(): Problem {
	return new Problem('untrusted', vscode.l10n.t('Agent files run once this workspace is trusted.'), {
		title: vscode.l10n.t('Manage trust'),
		command: 'workbench.trust.manage',
	});
}
