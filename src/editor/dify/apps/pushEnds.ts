import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import type { AppWork } from './appWork.ts';
import { showMessage, summarizeDifference } from './dialogues.ts';
import { readFileText, replaceText } from './fileTexts.ts';
import { type LinkedFile, readSidecar } from './linkedFiles.ts';
import { writeSidecar } from './pullWriting.ts';
import { describeMissingPlugins, describeRefusal } from './pushMessages.ts';

/**
 * Updates the file, its sidecar file and the link after a push, and shows the result. `isOther` is true if the pushed text isn't that of
 * the file.
 * @throws {Problem} `refused` if the deployment refused the push
 */
export async function finishPush(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile,
	plan: PushPlan,
	outcome: PushOutcome,
	isOther: boolean,
): Promise<void> {
	const name = getFileName(file);
	switch (outcome.kind) {
		case 'done': {
			// the user may have checked out a branch in which the file is linked to another app
			const isOurs = await isFileStillLinked(file);
			if (isOurs && outcome.file !== undefined && (await readFileText(file.uri)) === plan.here) {
				await replaceText(file.uri, plan.here, outcome.file);
			}
			if (!isOther && isOurs) {
				await writeSidecar(parts, file.uri, outcome.link, outcome.file ?? plan.here);
			}
			await parts.links.updateLink(of, outcome.there, file.uri);
			const sentences = [
				outcome.replyLost
					? vscode.l10n.t("Dify's response was lost, but '{0}' was pushed: {1}.", name, summarizeDifference(plan.difference))
					: vscode.l10n.t("Pushed '{0}' to Dify: {1}.", name, summarizeDifference(plan.difference)),
				...(isOurs ? [] : [vscode.l10n.t("The file's link wasn't updated because the file is now linked to another app.")]),
				...(outcome.warning === undefined ? [] : [outcome.warning]),
				...describeMissingPlugins(outcome.missing),
				vscode.l10n.t('Publish the app to make the changes available to users.'),
			];
			showMessage(
				sentences.join(' '),
				[
					{ title: vscode.l10n.t('Publish…'), command: 'agentWorkbench.difyApp.publish', arguments: [file.uri] },
					{ title: vscode.l10n.t('Open in Dify'), command: 'agentWorkbench.difyApp.open', arguments: [of] },
				],
				outcome.missing.length === 0 && outcome.warning === undefined ? 'info' : 'warning',
			);
			return;
		}
		case 'failed':
			throw new Problem(
				'refused',
				outcome.left === undefined
					? vscode.l10n.t("Dify refused '{0}' and didn't change the app: {1}", name, describeRefusal(outcome))
					: vscode.l10n.t({
							message: "Dify refused '{0}'. {1} Response: {2}",
							args: [name, outcome.left, describeRefusal(outcome)],
							comment: ["{1} is a sentence that says what was left in Dify, {2} is Dify's response"],
						}),
			);
		case 'not-arrived':
		case 'unknown':
			showMessage(
				outcome.message,
				[
					{ title: vscode.l10n.t('Compare'), command: 'agentWorkbench.difyApp.compare', arguments: [file.uri] },
					...(outcome.kind === 'not-arrived'
						? [{ title: vscode.l10n.t('Push again'), command: 'agentWorkbench.difyApp.push', arguments: [file.uri] } as const]
						: []),
				],
				'warning',
			);
			return;
		case 'pending':
		case 'changed-meanwhile':
			// the caller handles these two outcomes
			return;
	}
}

/** True if a file is still linked to the same app, or has no valid sidecar file. */
async function isFileStillLinked({ uri, link }: LinkedFile): Promise<boolean> {
	const now = (await readSidecar(uri).catch(() => undefined))?.link;
	return !now || (now.origin === link.origin && now.workspace_id === link.workspace_id && now.app_id === link.app_id);
}

/** Returns the name of an agent file for a message. */
export function getFileName({ uri }: LinkedFile): string {
	return vscode.workspace.asRelativePath(uri);
}
