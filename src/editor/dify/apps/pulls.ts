import * as vscode from 'vscode';
import type { DifyManagement } from '#client/dify/management.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { planPull } from '#dify/pullPlan.ts';
import type { PullPlan } from '#dify/syncTypes.ts';
import { runWithProgress } from '../../platform/progress.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, runWithManagement } from './appWork.ts';
import {
	askToConfirm,
	chooseOption,
	createMergeOption,
	listDifferences,
	shortenName,
	showMessage,
	summarizeDifference,
} from './dialogues.ts';
import { readFileText } from './fileTexts.ts';
import { type LinkedFile, readSidecar } from './linkedFiles.ts';
import { mergeFile } from './merging.ts';
import { askForFile, choosePullFolder, writePulledFile } from './pullWriting.ts';

/** Plans a pull into the file of an app, or into a new file. */
export async function planPullIntoFile(
	management: DifyManagement,
	of: AppOfDeployment,
	file: { readonly uri: vscode.Uri; readonly link: DifyLink | undefined } | undefined,
	signal: AbortSignal,
): Promise<PullPlan> {
	const text = file && (await readFileText(file.uri));
	return planPull({
		management,
		appId: of.app.id,
		...(file && text !== undefined && { here: { text, link: file.link } }),
		signal,
		t: vscode.l10n.t,
	});
}

/**
 * Pulls one app. If the app has no file yet, asks for a file name. Asks before overwriting local changes.
 * @returns the file, or `undefined` if the user cancels
 */
export async function pullApp(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<vscode.Uri | undefined> {
	const title = vscode.l10n.t("Pulling '{0}' from Dify…", shortenName(of.app.name));
	const createPlan = (into: Parameters<typeof planPullIntoFile>[2]) =>
		runWithManagement(parts, of.connectionId, management =>
			runWithProgress(title, signal => planPullIntoFile(management, of, into, signal)),
		);
	let link = file?.link;
	let plan = await createPlan(file);
	const uri = plan.here === undefined ? await chooseNewFile(parts, plan) : file?.uri;
	if (uri && plan.here === undefined && (await readFileText(uri)) !== undefined) {
		// the file exists, but it isn't linked to this app or its sidecar file is invalid
		link = (await readSidecar(uri).catch(() => undefined))?.link;
		plan = await createPlan({ uri, link });
	}
	if (!uri || !(await confirmOverwrite(parts, uri, plan, link))) {
		return undefined;
	}
	await writePulledFile(parts, of, uri, plan);
	if (plan.kind === 'new') {
		await vscode.window.showTextDocument(uri, { preview: false });
	}
	showMessage(describePullResult(uri, plan));
	return uri;
}

function describePullResult(uri: vscode.Uri, plan: PullPlan): string {
	const file = vscode.workspace.asRelativePath(uri);
	switch (plan.kind) {
		case 'new':
			return vscode.l10n.t("Pulled '{0}' from Dify as '{1}'.", shortenName(plan.app.name), file);
		case 'same':
			return vscode.l10n.t("'{0}' and the app '{1}' in Dify are identical.", file, shortenName(plan.app.name));
		default:
			return plan.difference
				? vscode.l10n.t("Pulled '{0}' from Dify into '{1}': {2}.", shortenName(plan.app.name), file, summarizeDifference(plan.difference))
				: vscode.l10n.t("Pulled '{0}' from Dify into '{1}'.", shortenName(plan.app.name), file);
	}
}

async function chooseNewFile(parts: AppWork, plan: PullPlan): Promise<vscode.Uri | undefined> {
	const place = await choosePullFolder(parts, vscode.l10n.t("Pull '{0}' from Dify", shortenName(plan.app.name)));
	return place && askForFile(plan.app.name, place);
}

/** If a pull would overwrite local changes, shows a comparison and asks for confirmation. Resolves to true if the pull may continue. */
async function confirmOverwrite(parts: AppWork, uri: vscode.Uri, plan: PullPlan, link: DifyLink | undefined): Promise<boolean> {
	if (!plan.losesHere) {
		return true;
	}
	const app = shortenName(plan.app.name);
	const file = vscode.workspace.asRelativePath(uri);
	await parts.compared.showDiff(
		vscode.l10n.t({ message: '{0} (Dify ↔ Local)', args: [file], comment: ['{0} is the name of a file'] }),
		{ name: `${plan.app.name}.yml`, text: plan.text ?? '' },
		uri,
	);
	const base = link && plan.kind === 'conflict' ? await parts.bases.readBase(link.base.content_hash) : undefined;
	const way = await chooseOption(vscode.l10n.t("Pull '{0}' from Dify", app), describeLoss(plan, file), [
		...(base === undefined ? [] : [createMergeOption()]),
		{
			way: 'pull',
			icon: 'cloud-download',
			label: vscode.l10n.t('Overwrite local file…'),
			detail: vscode.l10n.t('Saves a backup of the file'),
		},
		{ way: 'leave', icon: 'close', label: vscode.l10n.t('Keep local file') },
	]);
	if (way === 'merge' && base !== undefined && plan.here !== undefined) {
		await mergeFile(parts, { uri, appName: plan.app.name, base, here: plan.here, there: plan.text ?? plan.there.text, link: plan.link });
	}
	const question = vscode.l10n.t("Overwrite '{0}' with the app '{1}' from Dify?", file, app);
	const kept = vscode.l10n.t("A backup of the file will be saved. To restore it, run 'Restore App Backup…'.");
	const lines = plan.difference ? listDifferences(plan.difference) : [];
	return way === 'pull' && (await askToConfirm(question, [...lines, '', kept], vscode.l10n.t('Overwrite')));
}

function describeLoss(plan: PullPlan, file: string): string {
	switch (plan.kind) {
		case 'keeps-here':
			return vscode.l10n.t("'{0}' has local changes, and the app in Dify hasn't changed. Pulling will discard the local changes.", file);
		case 'conflict':
			return vscode.l10n.t("Both '{0}' and the app in Dify have changed since the last pull.", file);
		case 'other-app':
			return vscode.l10n.t("'{0}' is linked to another app.", file);
		default:
			return vscode.l10n.t("'{0}' differs from the app in Dify.", file);
	}
}
