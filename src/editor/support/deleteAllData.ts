import * as vscode from 'vscode';
import { formatNumber, formatSize } from '../platform/format.ts';
import { type DataPlaces, deleteStoredData, findStoredData, type StoredData } from './storedData.ts';

/** Effects on the window, which tests replace. */
interface WindowEffects {
	/** Ends all features, so that nothing is written after the deletion. */
	readonly endFeatures: () => unknown;
	readonly reloadWindow: () => unknown;
}

/** Deletes everything that the extension has stored on this machine, after the user has confirmed a list of it. Then reloads the window. */
export async function deleteAllData(places: DataPlaces, { endFeatures, reloadWindow }: WindowEffects): Promise<void> {
	const found = await findStoredData(places);
	const remove = vscode.l10n.t('Delete all data');
	const question = vscode.l10n.t('Delete everything that Agent Workbench has stored on this machine?');
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail: describeData(found) }, remove)) !== remove) {
		return;
	}
	try {
		await endFeatures();
	} catch {
		// the reload ends what is left
	}
	// more may have been stored while the question was open, or when features ended
	const failures = await deleteStoredData(places, await findStoredData(places));
	if (failures.length > 0) {
		const detail = failures.join('\n');
		await vscode.window.showErrorMessage(vscode.l10n.t("Couldn't delete all data."), { modal: true, detail });
	}
	await reloadWindow();
}

function describeData({ secrets, entries, folders, size, served }: StoredData): string {
	return [
		vscode.l10n.t('Keys and sign-ins in the keyring: {0}', formatNumber(secrets.length)),
		vscode.l10n.t({
			message: "Data folders with runs, chats, test results, Dify backups and the gateway's store: {0} ({1})",
			args: [formatNumber(folders.length), formatSize(size)],
			comment: ['{0} is a number of folders, {1} a size such as 12 MB'],
		}),
		vscode.l10n.t('Saved choices: {0}', formatNumber(entries)),
		vscode.l10n.t('Running gateways that will be stopped: {0}', formatNumber(served.length)),
		'',
		vscode.l10n.t("Your files, your settings and data on other services stay. This can't be undone. The window will reload."),
		vscode.l10n.t('Close other windows first, because they can store their chats and runs again.'),
	].join('\n');
}
