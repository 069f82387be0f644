import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import type { AppWork } from './appWork.ts';
import { differenceText, tell } from './dialogues.ts';
import { replaceText, textOfFile } from './fileTexts.ts';
import { type LinkedFile, readSidecar } from './linkedFiles.ts';
import { writeSidecar } from './pullWriting.ts';
import { missingText, refusalText } from './pushWords.ts';

/**
 * Writes down what became of a push, and tells it. `isOther`: what was pushed was not the file.
 * @throws {Problem} `refused` where the deployment refused it
 */
export async function settlePush(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile,
	plan: PushPlan,
	outcome: PushOutcome,
	isOther: boolean,
): Promise<void> {
	const name = nameOfFile(file);
	switch (outcome.kind) {
		case 'done': {
			// another branch of the repository may be checked out by now, in which the file is of another app
			const isOurs = await isStillOf(file);
			if (isOurs && outcome.file !== undefined && (await textOfFile(file.uri)) === plan.here) {
				await replaceText(file.uri, plan.here, outcome.file);
			}
			if (!isOther && isOurs) {
				await writeSidecar(file.uri, outcome.link);
			}
			await parts.links.learn(of, outcome.there, file.uri);
			const sentences = [
				outcome.replyLost
					? vscode.l10n.t('Pushed {0}: the reply was lost, but Dify has it ({1}).', name, differenceText(plan.difference))
					: vscode.l10n.t('Pushed {0} to Dify: {1}.', name, differenceText(plan.difference)),
				...(isOurs ? [] : [vscode.l10n.t('The file is of another app by now, so its link was left as it is.')]),
				...(outcome.warning === undefined ? [] : [outcome.warning]),
				...missingText(outcome.missing),
				vscode.l10n.t('Its users have it once it is published.'),
			];
			tell(
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
					? vscode.l10n.t('Dify refused {0}, and nothing was changed there: {1}', name, refusalText(outcome))
					: vscode.l10n.t('Dify refused {0}. {1} It said: {2}', name, outcome.left, refusalText(outcome)),
			);
		case 'not-arrived':
		case 'unknown':
			tell(
				outcome.message,
				[
					{ title: vscode.l10n.t('Compare'), command: 'agentWorkbench.difyApp.compare', arguments: [file.uri] },
					...(outcome.kind === 'not-arrived'
						? [{ title: vscode.l10n.t('Push Again'), command: 'agentWorkbench.difyApp.push', arguments: [file.uri] } as const]
						: []),
				],
				'warning',
			);
			return;
		case 'pending':
		case 'changed-meanwhile':
			// both were asked about before
			return;
	}
}

/** Whether a file is of the app that it was of; one without a sidecar file that can be read is. */
async function isStillOf({ uri, link }: LinkedFile): Promise<boolean> {
	const now = (await readSidecar(uri).catch(() => undefined))?.link;
	return !now || (now.origin === link.origin && now.workspace_id === link.workspace_id && now.app_id === link.app_id);
}

/** Name of an agent file, as sentences have it. */
export function nameOfFile({ uri }: LinkedFile): string {
	return vscode.workspace.asRelativePath(uri);
}
