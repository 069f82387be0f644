import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AppVersion, DifyManagement, ExportedApp } from '#client/dify/management.ts';
import { readApp } from '#dify/content/appContent.ts';
import { compareApps } from '#dify/content/appDifference.ts';
import { hashContent } from '#dify/content/contentHash.ts';
import { isUncertainFailure } from '#dify/importOutcome.ts';
import { getAppName } from '#dify/linkMade.ts';
import type { Backup } from '#dify/syncTypes.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { formatTimestamp } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, runWithManagement } from './appWork.ts';
import { askToConfirm, chooseOption, listDifferences, shortenName, showMessage } from './dialogues.ts';
import { readFileText, replaceText } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { describeVersion } from './publishing.ts';
import { pushFile } from './pushes.ts';

/** Restores a version as the draft. Shows the changes, asks for confirmation, and saves a backup of the draft. */
export async function restoreVersion(parts: AppWork, management: DifyManagement, of: AppOfDeployment, version: AppVersion): Promise<void> {
	const { app } = of;
	const title = vscode.l10n.t("Restoring version '{0}'…", describeVersion(version));
	const [wanted, draft] = await runWithProgress(title, async signal => [
		await management.exportApp(app.id, { versionId: version.id }, { signal }),
		await management.exportApp(app.id, {}, { signal }),
	]);
	const difference = compareApps(readApp(draft.text), readApp(wanted.text));
	if (difference.isSame && !difference.layout) {
		showMessage(
			vscode.l10n.t(
				"Nothing to restore: the draft of '{0}' and version '{1}' are identical.",
				shortenName(app.name),
				describeVersion(version),
			),
		);
		return;
	}
	const kept = vscode.l10n.t("A backup of the draft will be saved. To restore it, run 'Restore App Backup…'. Nothing will be published.");
	// show the app's name in Dify, because the link to the app comes from a workspace file that anyone may have written
	const name = getAppName(readApp(draft.text)) || app.name;
	const question = vscode.l10n.t("Overwrite the draft of '{0}' in Dify with version '{1}'?", shortenName(name), describeVersion(version));
	if (!(await askToConfirm(question, [...listDifferences(difference), '', kept], vscode.l10n.t('Restore')))) {
		return;
	}
	const there = await runWithProgress(title, signal => restoreVersionUnlessChanged(parts, management, of, version, draft, wanted, signal));
	await parts.links.updateLink(of, there);
	parts.deployments.reloadApps(of.connectionId);
	const [file] = await parts.links.loadFiles(of);
	showMessage(vscode.l10n.t("Restored version '{1}' as the draft of '{0}' in Dify.", shortenName(app.name), describeVersion(version)), [
		...(file ? [{ title: vscode.l10n.t('Pull…'), command: 'agentWorkbench.difyApp.pull', arguments: [file.uri] } as const] : []),
		{ title: vscode.l10n.t('Publish…'), command: 'agentWorkbench.difyApp.publish', arguments: [of] },
	]);
}

/** Restores a version if the draft is still the one that the user was asked about. Resolves to the new draft. */
async function restoreVersionUnlessChanged(
	parts: AppWork,
	management: DifyManagement,
	{ app }: AppOfDeployment,
	version: AppVersion,
	draft: ExportedApp,
	wanted: ExportedApp,
	signal: AbortSignal,
): Promise<ExportedApp> {
	const now = await management.exportApp(app.id, {}, { signal });
	if (hashContent(now.text) !== hashContent(draft.text)) {
		throw new Problem(
			'changed-meanwhile',
			vscode.l10n.t("The draft of '{0}' has changed in the meantime, so nothing was restored. Try again.", shortenName(app.name)),
		);
	}
	await parts.backups.saveBackup({ origin: management.deployment.origin, appId: app.id, name: app.name, side: 'there', text: now.text });
	try {
		// canceling is no longer possible, because the outcome would be unknown
		await management.restore(app.id, version.id);
	} catch (error) {
		if (!isUncertainFailure(error) || !(await isVersionRestored(management, app.id, wanted))) {
			throw error;
		}
	}
	return management.exportApp(app.id);
}

/** True if a restore succeeded although its response was lost. */
async function isVersionRestored(management: DifyManagement, appId: string, wanted: ExportedApp): Promise<boolean> {
	return hashContent((await management.exportApp(appId)).text) === hashContent(wanted.text);
}

/** Restores a backup of what a push, restore or pull has overwritten, in Dify or in the file. */
export async function restoreBackup(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<void> {
	const { origin } = file?.link ?? (await parts.deployments.getDeployment(of.connectionId));
	const title = vscode.l10n.t("Restore a backup of '{0}'", shortenName(of.app.name));
	const backups = await parts.backups.listBackups({ origin, appId: of.app.id });
	if (backups.length === 0) {
		showMessage(vscode.l10n.t("No backups of '{0}' in this workspace.", shortenName(of.app.name)));
		return;
	}
	const items = backups.map(backup => ({
		label: formatTimestamp(backup.at),
		description: backup.side === 'there' ? vscode.l10n.t('app in Dify') : vscode.l10n.t('local file'),
		iconPath: new vscode.ThemeIcon(backup.side === 'there' ? 'cloud' : 'file'),
		backup,
	}));
	const placeHolder = vscode.l10n.t('Select a backup');
	const backup = (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.backup;
	if (backup) {
		await applyBackup(parts, of, file, backup, await parts.backups.readBackup(backup), title);
	}
}

async function applyBackup(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile | undefined,
	backup: Backup,
	text: string,
	title: string,
): Promise<void> {
	const then = { name: `${of.app.name} (${formatTimestamp(backup.at)}).yml`, text };
	const now = file
		? file.uri
		: {
				name: `${of.app.name} (in Dify).yml`,
				text: (await runWithManagement(parts, of.connectionId, each => each.exportApp(of.app.id))).text,
			};
	await parts.compared.showDiff(
		vscode.l10n.t({
			message: '{0} (Backup ↔ Current)',
			args: [shortenName(of.app.name)],
			comment: ['{0} is the name of a file or an app'],
		}),
		then,
		now,
	);
	const way = await chooseOption(title, vscode.l10n.t('Select where to restore it. A backup of the current state will be saved.'), [
		...(file
			? [
					{
						way: 'here',
						icon: 'file',
						label: vscode.l10n.t('Local file'),
						detail: vscode.l10n.t("The app in Dify won't change until you push"),
					} as const,
					{
						way: 'there',
						icon: 'cloud-upload',
						label: vscode.l10n.t('App in Dify…'),
						detail: vscode.l10n.t("The local file won't change"),
					} as const,
				]
			: []),
		{ way: 'new', icon: 'new-file', label: vscode.l10n.t('New untitled file') },
	]);
	if (way === 'here' && file) {
		await writeBackupToFile(parts, of, file, text);
	} else if (way === 'there' && file) {
		await pushFile(parts, { file, text });
	} else if (way === 'new') {
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text, language: 'yaml' }), { preview: false });
	}
}

async function writeBackupToFile(parts: AppWork, of: AppOfDeployment, { uri, link }: LinkedFile, text: string): Promise<void> {
	const before = await readFileText(uri);
	if (before === text) {
		showMessage(vscode.l10n.t("'{0}' already has this content.", vscode.workspace.asRelativePath(uri)));
		return;
	}
	if (before !== undefined) {
		await parts.backups.saveBackup({ origin: link.origin, appId: of.app.id, name: of.app.name, side: 'here', text: before });
	}
	await replaceText(uri, before, text);
	showMessage(vscode.l10n.t("Restored '{0}'.", vscode.workspace.asRelativePath(uri)), [
		{ title: vscode.l10n.t('Push…'), command: 'agentWorkbench.difyApp.push', arguments: [uri] },
	]);
}
