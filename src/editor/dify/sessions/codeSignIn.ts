import os from 'node:os';
import * as vscode from 'vscode';
import type { DifyDeployment } from '#client/dify/management.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { DifyClient } from '../difyClient.ts';
import { openInBrowser } from '../openInBrowser.ts';
import { createAbortSignal } from '../signalOf.ts';

/**
 * Signs in with a code that the user confirms in a browser, on this or another machine. Shows the code and the address before opening
 * anything. Resolves to `undefined` if the user cancels.
 */
export async function signInWithCode(
	client: DifyClient,
	deployment: DifyDeployment,
	entry: ConnectionEntry,
): Promise<DifySignIn | undefined> {
	// use a unique label, because Dify would end an earlier sign-in with the same label (from its CLI or another connection)
	const label = vscode.l10n.t({
		message: 'Agent Workbench on {0} ({1})',
		args: [os.hostname(), entry.name],
		comment: ['name of a sign-in, shown in Dify; {0} is the name of this machine'],
	});
	const login = await client.startDeviceLogin(deployment, label);
	const { userCode, verificationUri } = login;
	const copyAndOpen = vscode.l10n.t('Copy code and open browser');
	const open = vscode.l10n.t('Open browser');
	const elsewhere = vscode.l10n.t('Copy code');
	const choice = await vscode.window.showInformationMessage(
		vscode.l10n.t({ message: 'Confirm the code {0}', args: [userCode], comment: ['{0} is a code that the user confirms in the browser'] }),
		{
			modal: true,
			detail: vscode.l10n.t(
				"Open {0} in a browser that's signed in to Dify, on this or another machine, and confirm this code. Confirm a code only if you started the sign-in yourself.",
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
	const title = escapeLinks(vscode.l10n.t('Waiting for you to confirm the code {0} at {1}…', userCode, verificationUri));
	return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, cancelled) =>
		login.finish({ signal: createAbortSignal(cancelled) }),
	);
}
