import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AppVersion, DifyManagement } from '#client/dify/management.ts';
import { createPulledText } from '#dify/files/pulledText.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { requireTrust } from '../../platform/trust.ts';
import { formatTimestamp, toOneLine } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, runWithManagement } from './appWork.ts';
import { chooseOption, shortenName } from './dialogues.ts';
import { readFileText } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { describeVersion, getVersionName } from './publishing.ts';
import { restoreVersion } from './restoring.ts';

/** Maximum number of listed versions. */
const mostVersions = 500;

/** Lists the published versions of an app. The user can compare one with the file or the draft, or restore it. */
export async function showVersions(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<void> {
	const title = vscode.l10n.t("Versions of '{0}' in Dify", shortenName(of.app.name));
	await runWithManagement(parts, of.connectionId, async management => {
		if (!management.offers.has('versions')) {
			throw new Problem(
				'not-offered',
				vscode.l10n.t('Dify {0} shows app versions only in the browser.', management.deployment.version ?? ''),
				{
					title: vscode.l10n.t('Open in Dify'),
					command: 'agentWorkbench.difyApp.open',
					arguments: [of],
				},
			);
		}
		const versions = await runWithProgress(title, signal => loadVersions(management, of, signal));
		const version = await chooseVersion(title, versions);
		const way = version && (await chooseAction(management, version, file));
		if (version && way === 'compare') {
			await compareVersion(parts, management, of, file, version);
		} else if (version && way === 'restore') {
			if (file) {
				// the app is named by its sidecar file
				requireTrust();
			}
			await restoreVersion(parts, management, of, version);
		}
	});
}

async function loadVersions(management: DifyManagement, { app }: AppOfDeployment, signal: AbortSignal): Promise<AppVersion[]> {
	const { iterateVersions } = await import('#client/dify/managedLists.ts');
	const all: AppVersion[] = [];
	for await (const version of iterateVersions(management, app.id, { signal })) {
		all.push(version);
		if (all.length === mostVersions) {
			break;
		}
	}
	return all;
}

async function chooseVersion(title: string, versions: readonly AppVersion[]): Promise<AppVersion | undefined> {
	if (versions.length === 0) {
		void vscode.window.showInformationMessage(vscode.l10n.t('This app has no published versions yet.'));
		return undefined;
	}
	const items = versions.map(version => ({
		label: version.name === '' ? version.id.slice(0, 8) : toOneLine(version.name, 60),
		description: [
			version.current ? vscode.l10n.t('currently published') : '',
			version.by ?? '',
			version.createdAt === undefined ? '' : formatTimestamp(version.createdAt * 1000),
		]
			.filter(text => text !== '')
			.join(' · '),
		...(version.comment !== '' && { detail: toOneLine(version.comment, 120) }),
		iconPath: new vscode.ThemeIcon(version.current ? 'rocket' : 'git-commit'),
		version,
	}));
	const placeHolder = vscode.l10n.t('Select a version to compare or restore');
	return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true, matchOnDetail: true }))?.version;
}

async function chooseAction(
	management: DifyManagement,
	version: AppVersion,
	file: LinkedFile | undefined,
): Promise<'compare' | 'restore' | undefined> {
	const restores = management.offers.has('restore');
	return chooseOption<'compare' | 'restore'>(describeVersion(version), vscode.l10n.t('Select an action for this version'), [
		file
			? { way: 'compare', icon: 'diff', label: vscode.l10n.t('Compare with file'), detail: vscode.workspace.asRelativePath(file.uri) }
			: { way: 'compare', icon: 'diff', label: vscode.l10n.t('Compare with draft') },
		...(restores
			? [
					{
						way: 'restore',
						icon: 'discard',
						label: vscode.l10n.t('Restore as draft…'),
						detail: vscode.l10n.t('Overwrite the draft in Dify without publishing it. A backup will be saved.'),
					} as const,
				]
			: []),
	]);
}

async function compareVersion(
	parts: AppWork,
	management: DifyManagement,
	{ app }: AppOfDeployment,
	file: LinkedFile | undefined,
	version: AppVersion,
): Promise<void> {
	const called = getVersionName(version);
	const title = vscode.l10n.t("Comparing with version '{0}'…", called);
	const text = file && (await readFileText(file.uri));
	const there = await runWithProgress(title, signal => management.exportApp(app.id, { versionId: version.id }, { signal }));
	const name = `${app.name} (${version.name || version.id.slice(0, 8)}).yml`;
	if (file && text !== undefined) {
		const asFile = { name, text: createPulledText(text, there.text) };
		await parts.compared.showDiff(vscode.l10n.t('{0} ({1} ↔ Local)', vscode.workspace.asRelativePath(file.uri), called), asFile, file.uri);
		return;
	}
	const draft = await runWithProgress(title, signal => management.exportApp(app.id, {}, { signal }));
	await parts.compared.showDiff(
		vscode.l10n.t('{0} ({1} ↔ Draft)', shortenName(app.name), called),
		{ name, text: there.text },
		{ name: `${app.name} (draft).yml`, text: draft.text },
	);
}
