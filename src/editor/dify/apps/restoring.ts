import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AppVersion, DifyManagement, ExportedApp } from '#client/dify/management.ts';
import { readApp } from '#dify/content/appContent.ts';
import { appDifference } from '#dify/content/appDifference.ts';
import { contentHash } from '#dify/content/contentHash.ts';
import { isUncertain } from '#dify/importOutcome.ts';
import { nameOf } from '#dify/linkMade.ts';
import type { Backup } from '#dify/syncTypes.ts';
import { momentText } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, withDeployment } from './appWork.ts';
import { chooseWay, confirmed, differenceDetail, quoted, tell, working } from './dialogues.ts';
import { replaceText, textOfFile } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { versionText } from './publishing.ts';
import { pushOne } from './pushes.ts';

/** Makes a version the draft again: says first what that changes, and keeps the draft that there is. */
export async function restoreVersion(parts: AppWork, management: DifyManagement, of: AppOfDeployment, version: AppVersion): Promise<void> {
	const { app } = of;
	const title = vscode.l10n.t('Restoring {0}', versionText(version));
	const [wanted, draft] = await working(title, async signal => [
		await management.exportApp(app.id, { versionId: version.id }, { signal }),
		await management.exportApp(app.id, {}, { signal }),
	]);
	const difference = appDifference(readApp(draft.text), readApp(wanted.text));
	if (difference.isSame && !difference.layout) {
		tell(vscode.l10n.t('The draft of {0} says what {1} says: nothing was restored.', quoted(app.name), versionText(version)));
		return;
	}
	const kept = vscode.l10n.t("The current draft is backed up first. Use 'Restore App Backup…' to bring it back. Nothing is published.");
	// by its name there: which app a file is of is said by a file of the workspace, which may be anybody's
	const name = nameOf(readApp(draft.text)) || app.name;
	const question = vscode.l10n.t('Overwrite the draft of {0} in Dify with {1}?', quoted(name), versionText(version));
	if (!(await confirmed(question, [...differenceDetail(difference), '', kept], vscode.l10n.t('Restore')))) {
		return;
	}
	const there = await working(title, signal => restoreOver(parts, management, of, version, draft, wanted, signal));
	await parts.links.learn(of, there);
	parts.deployments.reload(of.connectionId);
	const [file] = await parts.links.filesOf(of);
	tell(vscode.l10n.t('The draft of {0} in Dify is {1} again.', quoted(app.name), versionText(version)), [
		...(file ? [{ title: vscode.l10n.t('Pull…'), command: 'agentWorkbench.difyApp.pull', arguments: [file.uri] } as const] : []),
		{ title: vscode.l10n.t('Publish…'), command: 'agentWorkbench.difyApp.publish', arguments: [of] },
	]);
}

/** Restores over the draft that the user was asked about, and no other. Resolves to what is there then. */
async function restoreOver(
	parts: AppWork,
	management: DifyManagement,
	{ app }: AppOfDeployment,
	version: AppVersion,
	draft: ExportedApp,
	wanted: ExportedApp,
	signal: AbortSignal,
): Promise<ExportedApp> {
	const now = await management.exportApp(app.id, {}, { signal });
	if (contentHash(now.text) !== contentHash(draft.text)) {
		throw new Problem(
			'changed-meanwhile',
			vscode.l10n.t('Somebody changed the draft of {0} meanwhile, so nothing was restored: do it again.', quoted(app.name)),
		);
	}
	await parts.backups.keep({ origin: management.deployment.origin, appId: app.id, name: app.name, side: 'there', text: now.text });
	try {
		// from here on it is not to be called off: nobody would know what became of it
		await management.restore(app.id, version.id);
	} catch (error) {
		if (!isUncertain(error) || !(await isThere(management, app.id, wanted))) {
			throw error;
		}
	}
	return management.exportApp(app.id);
}

/** Whether a restore whose reply was lost has worked. */
async function isThere(management: DifyManagement, appId: string, wanted: ExportedApp): Promise<boolean> {
	return contentHash((await management.exportApp(appId)).text) === contentHash(wanted.text);
}

/** Puts back what a push, a restore or a pull overwrote: there or here, wherever it was. */
export async function restoreBackup(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<void> {
	const { origin } = file?.link ?? (await parts.deployments.deployment(of.connectionId));
	const title = vscode.l10n.t('Restore what was of {0}', quoted(of.app.name));
	const backups = await parts.backups.list({ origin, appId: of.app.id });
	if (backups.length === 0) {
		tell(vscode.l10n.t('Nothing of {0} was overwritten from this workspace.', quoted(of.app.name)));
		return;
	}
	const items = backups.map(backup => ({
		label: momentText(backup.at),
		description: backup.side === 'there' ? vscode.l10n.t('what Dify had') : vscode.l10n.t('what the file said'),
		iconPath: new vscode.ThemeIcon(backup.side === 'there' ? 'cloud' : 'file'),
		backup,
	}));
	const placeHolder = vscode.l10n.t('What was overwritten, the latest first');
	const backup = (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.backup;
	if (backup) {
		await putBack(parts, of, file, backup, await parts.backups.read(backup), title);
	}
}

async function putBack(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile | undefined,
	backup: Backup,
	text: string,
	title: string,
): Promise<void> {
	const then = { name: `${of.app.name} (${momentText(backup.at)}).yml`, text };
	const now = file
		? file.uri
		: {
				name: `${of.app.name} (in Dify).yml`,
				text: (await withDeployment(parts, of.connectionId, each => each.exportApp(of.app.id))).text,
			};
	await parts.compared.show(vscode.l10n.t('{0}: then ↔ now', quoted(of.app.name)), then, now);
	const way = await chooseWay(title, vscode.l10n.t('Where to put it: what is overwritten is kept too'), [
		...(file
			? [
					{
						way: 'here',
						icon: 'file',
						label: vscode.l10n.t('Into the File'),
						detail: vscode.l10n.t('Dify stays as it is until you push'),
					} as const,
					{
						way: 'there',
						icon: 'cloud-upload',
						label: vscode.l10n.t('Back to Dify…'),
						detail: vscode.l10n.t('The file stays as it is'),
					} as const,
				]
			: []),
		{ way: 'new', icon: 'new-file', label: vscode.l10n.t('Open as a New File') },
	]);
	if (way === 'here' && file) {
		await putIntoFile(parts, of, file, text);
	} else if (way === 'there' && file) {
		await pushOne(parts, { file, text });
	} else if (way === 'new') {
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text, language: 'yaml' }), { preview: false });
	}
}

async function putIntoFile(parts: AppWork, of: AppOfDeployment, { uri, link }: LinkedFile, text: string): Promise<void> {
	const before = await textOfFile(uri);
	if (before === text) {
		tell(vscode.l10n.t('{0} says that already.', vscode.workspace.asRelativePath(uri)));
		return;
	}
	if (before !== undefined) {
		await parts.backups.keep({ origin: link.origin, appId: of.app.id, name: of.app.name, side: 'here', text: before });
	}
	await replaceText(uri, before, text);
	tell(vscode.l10n.t('{0} says again what it said, or Dify had, then.', vscode.workspace.asRelativePath(uri)), [
		{ title: vscode.l10n.t('Push…'), command: 'agentWorkbench.difyApp.push', arguments: [uri] },
	]);
}
