import os from 'node:os';
import * as vscode from 'vscode';
import type { DifyDeployment } from '#client/dify/management.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { DifyClient } from '../difyClient.ts';
import { openInBrowser } from '../openInBrowser.ts';
import { signalOf } from '../signalOf.ts';

/**
 * Signs in by a code that is confirmed in the browser, on this machine or another. Code and address are shown before anything opens. `undefined` when the
 * user backs out.
 */
export async function signInByCode(
	client: DifyClient,
	deployment: DifyDeployment,
	entry: ConnectionEntry,
): Promise<DifySignIn | undefined> {
	// the same label would end the sign-in of Dify's own command line, and that of another connection
	const label = vscode.l10n.t('Agent Workbench on {0} ({1})', os.hostname(), entry.name);
	const login = await client.startDeviceLogin(deployment, label);
	const { userCode, verificationUri } = login;
	const copyAndOpen = vscode.l10n.t('Copy Code and Open Browser');
	const open = vscode.l10n.t('Open Browser');
	const elsewhere = vscode.l10n.t('Copy Code');
	const choice = await vscode.window.showInformationMessage(
		vscode.l10n.t('Confirm the code {0}', userCode),
		{
			modal: true,
			detail: vscode.l10n.t(
				'Open {0} in a browser that is signed in to Dify, on this machine or another, and confirm this code there. Confirm no other, and only if you began this sign-in.',
				verificationUri,
			),
		},
		copyAndOpen,
		open,
		elsewhere,
	);
	if (choice === undefined) {
		return undefined;
	}
	if (choice !== open) {
		await vscode.env.clipboard.writeText(userCode);
	}
	if (choice !== elsewhere) {
		await openInBrowser(verificationUri);
	}
	const title = withoutLinks(vscode.l10n.t('Waiting for the code {0} to be confirmed at {1}', userCode, verificationUri));
	return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, cancelled) =>
		login.finish({ signal: signalOf(cancelled) }),
	);
}
