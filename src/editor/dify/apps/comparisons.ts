import * as vscode from 'vscode';
import type { Remedy } from '#base/problems.ts';
import type { AppDifference } from '#dify/content/differenceTypes.ts';
import type { PullKind } from '#dify/syncTypes.ts';
import { runWithProgress } from '../../platform/progress.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, runWithManagement } from './appWork.ts';
import { listDifferences, shortenName, showMessage, summarizeDifference } from './dialogues.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { planPullIntoFile } from './pulls.ts';

/**
 * Compares an app in Dify with its file. Shows the app's text in the order and format of the file, so that only real differences are
 * visible.
 */
export async function compareWithDify(parts: AppWork, of: AppOfDeployment, file: LinkedFile): Promise<void> {
	const name = vscode.workspace.asRelativePath(file.uri);
	const title = vscode.l10n.t("Comparing '{0}' with Dify…", name);
	const plan = await runWithManagement(parts, of.connectionId, management =>
		runWithProgress(title, signal => planPullIntoFile(management, of, file, signal)),
	);
	await parts.links.updateLink(of, plan.there);
	if (plan.kind === 'same') {
		showMessage(vscode.l10n.t("'{0}' and the app '{1}' in Dify are identical.", name, shortenName(plan.app.name)));
		return;
	}
	const there = { name: `${plan.app.name} (in Dify).yml`, text: plan.text ?? plan.there.text };
	await parts.compared.showDiff(
		vscode.l10n.t({ message: '{0} (Dify ↔ Local)', args: [name], comment: ['{0} is the name of a file'] }),
		there,
		file.uri,
	);
	showMessage(
		[describeDifferenceKind(plan.kind, name), ...(plan.difference ? [formatDifference(plan.difference)] : [])].join(' '),
		getNextSteps(plan.kind, file),
	);
}

function describeDifferenceKind(kind: PullKind, name: string): string {
	switch (kind) {
		case 'layout':
			return vscode.l10n.t("'{0}' and the app in Dify differ only in layout.", name);
		case 'update':
			return vscode.l10n.t("The app in Dify has changed since '{0}' was pulled.", name);
		case 'keeps-here':
			return vscode.l10n.t("'{0}' has changed locally. The app in Dify hasn't changed.", name);
		case 'conflict':
			return vscode.l10n.t("Both '{0}' and the app in Dify have changed.", name);
		default:
			return vscode.l10n.t("'{0}' differs from the app in Dify.", name);
	}
}

/** Lists the differences if there are only a few, or summarizes them. */
function formatDifference(difference: AppDifference): string {
	const lines = listDifferences(difference);
	return lines.length > 4 ? `${summarizeDifference(difference)}.` : `${lines.join(' · ')}.`;
}

function getNextSteps(kind: PullKind, { uri }: LinkedFile): Remedy[] {
	const pull: Remedy = { title: vscode.l10n.t('Pull…'), command: 'agentWorkbench.difyApp.pull', arguments: [uri] };
	const push: Remedy = { title: vscode.l10n.t('Push…'), command: 'agentWorkbench.difyApp.push', arguments: [uri] };
	switch (kind) {
		case 'layout':
		case 'update':
			return [pull];
		case 'keeps-here':
			return [push];
		default:
			return [pull, push];
	}
}
