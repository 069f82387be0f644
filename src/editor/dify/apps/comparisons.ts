import * as vscode from 'vscode';
import type { Remedy } from '#base/problems.ts';
import type { AppDifference } from '#dify/content/differenceTypes.ts';
import type { PullKind } from '#dify/syncTypes.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, withDeployment } from './appWork.ts';
import { differenceDetail, differenceText, quoted, tell, working } from './dialogues.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { plannedPull } from './pulls.ts';

/**
 * Shows a file beside what the deployment has: in the file's own order and writing, so that only what differs shows. The file's side is the file itself.
 */
export async function compareOne(parts: AppWork, of: AppOfDeployment, file: LinkedFile): Promise<void> {
	const name = vscode.workspace.asRelativePath(file.uri);
	const title = vscode.l10n.t('Comparing {0} with Dify', name);
	const plan = await withDeployment(parts, of.connectionId, management =>
		working(title, signal => plannedPull(management, of, file, signal)),
	);
	await parts.links.learn(of, plan.there);
	if (plan.kind === 'same') {
		tell(vscode.l10n.t('{0} is as Dify has {1}.', name, quoted(plan.app.name)));
		return;
	}
	const there = { name: `${plan.app.name} (in Dify).yml`, text: plan.text ?? plan.there.text };
	await parts.compared.show(vscode.l10n.t('{0}: in Dify ↔ here', name), there, file.uri);
	tell([standing(plan.kind, name), ...(plan.difference ? [summary(plan.difference)] : [])].join(' '), waysOn(plan.kind, file));
}

function standing(kind: PullKind, name: string): string {
	switch (kind) {
		case 'layout':
			return vscode.l10n.t('{0} and Dify say the same.', name);
		case 'update':
			return vscode.l10n.t('Changed in Dify since {0} was pulled.', name);
		case 'keeps-here':
			return vscode.l10n.t('{0} was changed here, and Dify has nothing newer.', name);
		case 'conflict':
			return vscode.l10n.t('{0} was changed here, and the app in Dify too.', name);
		default:
			return vscode.l10n.t('{0} differs from Dify.', name);
	}
}

/** What differs, by node: all of it where that is little. */
function summary(difference: AppDifference): string {
	const lines = differenceDetail(difference);
	return lines.length > 4 ? `${differenceText(difference)}.` : `${lines.join(' · ')}.`;
}

function waysOn(kind: PullKind, { uri }: LinkedFile): Remedy[] {
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
