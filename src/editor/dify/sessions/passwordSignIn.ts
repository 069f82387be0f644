import * as vscode from 'vscode';
import type { DifyDeployment } from '#client/dify/management.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { DifyClient } from '../difyClient.ts';

/** Signs in to a console with an email address and a password. Saves neither. Resolves to `undefined` if the user cancels. */
export async function signInWithPassword(client: DifyClient, deployment: DifyDeployment, title: string): Promise<DifySignIn | undefined> {
	const { origin } = deployment;
	const email = (
		await vscode.window.showInputBox({
			title,
			prompt: escapeLinks(vscode.l10n.t('Email address of your account at {0}', origin)),
			ignoreFocusOut: true,
		})
	)?.trim();
	if (!email) {
		return undefined;
	}
	const password = await vscode.window.showInputBox({
		title,
		prompt: escapeLinks(vscode.l10n.t("Password. It's sent to {0} once and never saved.", origin)),
		password: true,
		ignoreFocusOut: true,
	});
	if (!password) {
		return undefined;
	}
	const progress = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Signing in to {0}…', origin) };
	return vscode.window.withProgress(progress, () => client.logInToConsole(deployment, email, password));
}
