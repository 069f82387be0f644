import * as vscode from 'vscode';

/** Executes the restart command if the user agrees, because a restart stops active runs. */
export async function offerRestart(command: string): Promise<void> {
	const restart = vscode.l10n.t('Restart gateway');
	const choice = await vscode.window.showInformationMessage(
		vscode.l10n.t('Restart the built-in gateway to apply the changed settings? Active runs will be stopped.'),
		restart,
	);
	if (choice === restart) {
		// the command reports its own errors
		await vscode.commands.executeCommand(command);
	}
}
