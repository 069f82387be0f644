import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { readApp } from '#dify/content/appContent.ts';
import { getAppName } from '#dify/linkMade.ts';
import { carryOutNewApp, planNewApp } from '#dify/newApp.ts';
import { findSidecar } from '../../agents/files/linkOfFile.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { requireTrust } from '../../platform/trust.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { chooseDifyConnection } from './appTargets.ts';
import { type AppWork, getConnectionName, runWithManagement } from './appWork.ts';
import { askToConfirm, chooseOption, shortenName, showMessage } from './dialogues.ts';
import { readFileText, replaceText, saveFile } from './fileTexts.ts';
import { readSidecar } from './linkedFiles.ts';
import { writeSidecar } from './pullWriting.ts';
import { confirmImport, describeMissingPlugins, describeRefusal, listFaults } from './pushMessages.ts';

/**
 * Creates a new app from an agent file, on a deployment that the user selects. Links the file to the new app unless the user keeps an
 * existing link.
 */
export async function pushFileAsNewApp(parts: AppWork, uri: vscode.Uri): Promise<void> {
	requireTrust();
	const file = vscode.workspace.asRelativePath(uri);
	const title = vscode.l10n.t("Push '{0}' as a new app", file);
	const connectionId = await chooseDifyConnection(parts, undefined, title);
	if (connectionId === undefined || !(await saveFile(uri))) {
		return;
	}
	const before = await readSidecar(uri).catch(() => undefined);
	const links = before ? await askToRelink(title, file) : true;
	if (links === undefined) {
		return;
	}
	await runWithManagement(parts, connectionId, async management => {
		const text = await readFileText(uri);
		if (text === undefined) {
			throw new Problem('no-agent-file', vscode.l10n.t("'{0}' no longer exists, so it wasn't pushed.", file));
		}
		const name = await vscode.window.showInputBox({
			title,
			prompt: escapeLinks(vscode.l10n.t('Name of the new app at {0}', management.deployment.origin)),
			value: getAppName(readApp(text, file, vscode.l10n.t)),
			ignoreFocusOut: true,
			validateInput: given => (given.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
		});
		if (name === undefined) {
			return;
		}
		const progress = vscode.l10n.t("Pushing '{0}' to Dify…", file);
		const plan = await runWithProgress(progress, signal => planNewApp({ management, text, name: name.trim(), signal, t: vscode.l10n.t }));
		const lines = [
			vscode.l10n.t('Dify server: {0}', management.deployment.origin),
			vscode.l10n.t('Connection: {0}', getConnectionName(parts, connectionId)),
			'',
			...listFaults(plan.faults),
			...plan.effects.map(effect => effect.text),
		];
		if (
			!(await askToConfirm(vscode.l10n.t("Create a new app '{0}' from '{1}'?", shortenName(plan.name), file), lines, vscode.l10n.t('Push')))
		) {
			return;
		}
		let outcome = await runWithProgress(progress, signal => carryOutNewApp(plan, { management, signal, t: vscode.l10n.t }));
		while (outcome.kind === 'pending') {
			const { confirm } = outcome;
			if (!(await confirmImport(outcome))) {
				return;
			}
			outcome = await runWithProgress(progress, signal => confirm({ signal, t: vscode.l10n.t }));
		}
		switch (outcome.kind) {
			case 'done': {
				const { link, there, missing, warning } = outcome;
				const app = { id: link.app_id, name: plan.name, description: '', mode: link.mode, updatedAt: undefined };
				if (links) {
					if (outcome.file !== undefined && (await readFileText(uri)) === plan.here) {
						await replaceText(uri, plan.here, outcome.file);
					}
					await writeSidecar(parts, uri, link, outcome.file ?? plan.here);
					await parts.consents.add(uri.toString(), link);
					await parts.links.updateLink({ connectionId, app }, there, uri);
				}
				parts.deployments.reloadApps(connectionId);
				const sentences = [
					vscode.l10n.t("Created the app '{0}' from '{1}'.", shortenName(plan.name), file),
					...(warning === undefined ? [] : [warning]),
					...describeMissingPlugins(missing),
					...(links
						? [vscode.l10n.t("Commit '{0}' together with the agent file.", path.posix.basename((await findSidecar(uri)).path))]
						: []),
				];
				showMessage(sentences.join(' '), [
					{ title: vscode.l10n.t('Open in Dify'), command: 'agentWorkbench.difyApp.open', arguments: [{ connectionId, app }] },
				]);
				return;
			}
			case 'failed':
				throw new Problem(
					'refused',
					outcome.left === undefined
						? vscode.l10n.t("Dify refused '{0}' and didn't create an app: {1}", file, describeRefusal(outcome))
						: vscode.l10n.t({
								message: "Dify refused '{0}'. {1} Response: {2}",
								args: [file, outcome.left, describeRefusal(outcome)],
								comment: ["{1} is a sentence that says what was left in Dify, {2} is Dify's response"],
							}),
				);
			default:
				showMessage(outcome.message, [], 'warning');
		}
	});
}

/** Asks whether to link a file to the new app instead of its current one. Resolves to `undefined` if the user cancels. */
async function askToRelink(title: string, file: string): Promise<boolean | undefined> {
	const way = await chooseOption(title, vscode.l10n.t("'{0}' is already linked to an app in Dify", file), [
		{
			way: 'keep',
			icon: 'link',
			label: vscode.l10n.t('Keep current link'),
			detail: vscode.l10n.t('Future pushes will still update the current app'),
		},
		{
			way: 'move',
			icon: 'arrow-right',
			label: vscode.l10n.t('Link to new app'),
			detail: vscode.l10n.t('Future pushes will update the new app'),
		},
	]);
	return way && way === 'move';
}
