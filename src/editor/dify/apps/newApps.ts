import path from 'node:path';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { readApp } from '#dify/content/appContent.ts';
import { nameOf } from '#dify/linkMade.ts';
import { carryOutNewApp, planNewApp } from '#dify/newApp.ts';
import { findSidecar } from '../../agents/files/linkOfFile.ts';
import { requireTrust } from '../../platform/trust.ts';
import { withoutLinks } from '../../platform/wording.ts';
import { connectionMeant } from './appTargets.ts';
import { type AppWork, connectionName, withDeployment } from './appWork.ts';
import { chooseWay, confirmed, quoted, tell, working } from './dialogues.ts';
import { replaceText, saved, textOfFile } from './fileTexts.ts';
import { readSidecar } from './linkedFiles.ts';
import { writeSidecar } from './pullWriting.ts';
import { faultLines, mayTake, missingText, refusalText } from './pushWords.ts';

/** Makes a new app of an agent file at a deployment that the user picks. Overwrites nothing there; the file is of that app from then on, if the user likes. */
export async function pushAsNew(parts: AppWork, uri: vscode.Uri): Promise<void> {
	requireTrust();
	const file = vscode.workspace.asRelativePath(uri);
	const title = vscode.l10n.t('Push {0} as a New App', file);
	const connectionId = await connectionMeant(parts, undefined, title);
	if (connectionId === undefined || !(await saved(uri))) {
		return;
	}
	const before = await readSidecar(uri).catch(() => undefined);
	const links = before ? await takesNewLink(title, file) : true;
	if (links === undefined) {
		return;
	}
	await withDeployment(parts, connectionId, async management => {
		const text = await textOfFile(uri);
		if (text === undefined) {
			throw new Problem('no-agent-file', vscode.l10n.t('{0} is gone: nothing was sent.', file));
		}
		const name = await vscode.window.showInputBox({
			title,
			prompt: withoutLinks(vscode.l10n.t('Name of the app at {0}', management.deployment.origin)),
			value: nameOf(readApp(text, file, vscode.l10n.t)),
			ignoreFocusOut: true,
			validateInput: given => (given.trim() === '' ? vscode.l10n.t('An app has a name.') : undefined),
		});
		if (name === undefined) {
			return;
		}
		const progress = vscode.l10n.t('Pushing {0} to Dify', file);
		const plan = await working(progress, signal => planNewApp({ management, text, name: name.trim(), signal, t: vscode.l10n.t }));
		const lines = [
			vscode.l10n.t('Deployment: {0}', management.deployment.origin),
			vscode.l10n.t('Connection: {0}', connectionName(parts, connectionId)),
			'',
			...faultLines(plan.faults),
			...plan.effects.map(effect => effect.text),
		];
		if (!(await confirmed(vscode.l10n.t('Make a new app {0} of {1}?', quoted(plan.name), file), lines, vscode.l10n.t('Push')))) {
			return;
		}
		let outcome = await working(progress, signal => carryOutNewApp(plan, { management, signal, t: vscode.l10n.t }));
		while (outcome.kind === 'pending') {
			const { confirm } = outcome;
			if (!(await mayTake(outcome))) {
				return;
			}
			outcome = await working(progress, signal => confirm({ signal, t: vscode.l10n.t }));
		}
		switch (outcome.kind) {
			case 'done': {
				const { link, there, missing, warning } = outcome;
				const app = { id: link.app_id, name: plan.name, description: '', mode: link.mode, updatedAt: undefined };
				if (links) {
					if (outcome.file !== undefined && (await textOfFile(uri)) === plan.here) {
						await replaceText(uri, plan.here, outcome.file);
					}
					await writeSidecar(uri, link);
					await parts.consents.add(uri.toString(), link);
					await parts.links.learn({ connectionId, app }, there, uri);
				}
				parts.deployments.reload(connectionId);
				const sentences = [
					vscode.l10n.t('Made the app {0} of {1}.', quoted(plan.name), file),
					...(warning === undefined ? [] : [warning]),
					...missingText(missing),
					...(links ? [vscode.l10n.t('{0} goes with the file: commit it.', path.posix.basename((await findSidecar(uri)).path))] : []),
				];
				tell(sentences.join(' '), [
					{ title: vscode.l10n.t('Open in Dify'), command: 'agentWorkbench.difyApp.open', arguments: [{ connectionId, app }] },
				]);
				return;
			}
			case 'failed':
				throw new Problem(
					'refused',
					outcome.left === undefined
						? vscode.l10n.t('Dify refused {0}, and made no app: {1}', file, refusalText(outcome))
						: vscode.l10n.t('Dify refused {0}. {1} It said: {2}', file, outcome.left, refusalText(outcome)),
				);
			default:
				tell(outcome.message, [], 'warning');
		}
	});
}

/** A file that is of an app already: whether it is to be of the new one. `undefined`: the user backs out. */
async function takesNewLink(title: string, file: string): Promise<boolean | undefined> {
	const way = await chooseWay(title, vscode.l10n.t('{0} is of an app in Dify already', file), [
		{
			way: 'keep',
			icon: 'link',
			label: vscode.l10n.t('Keep Its App'),
			detail: vscode.l10n.t('The new app is a copy; later pushes go where they went'),
		},
		{
			way: 'move',
			icon: 'arrow-right',
			label: vscode.l10n.t('Move to the New App'),
			detail: vscode.l10n.t('Later pushes go to the new app'),
		},
	]);
	return way && way === 'move';
}
