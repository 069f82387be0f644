import * as vscode from 'vscode';
import type { DifyManagement } from '#client/dify/management.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { planPull } from '#dify/pullPlan.ts';
import type { PullPlan } from '#dify/syncTypes.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, withDeployment } from './appWork.ts';
import { chooseWay, confirmed, differenceDetail, differenceText, quoted, tell, working } from './dialogues.ts';
import { textOfFile } from './fileTexts.ts';
import { type LinkedFile, readSidecar } from './linkedFiles.ts';
import { askFileFor, choosePullFolder, writePull } from './pullWriting.ts';

/** What a pull would do to the file of an app, or would make of it. */
export async function plannedPull(
	management: DifyManagement,
	of: AppOfDeployment,
	file: { readonly uri: vscode.Uri; readonly link: DifyLink | undefined } | undefined,
	signal: AbortSignal,
): Promise<PullPlan> {
	const text = file && (await textOfFile(file.uri));
	return planPull({
		management,
		appId: of.app.id,
		...(file && text !== undefined && { here: { text, link: file.link } }),
		signal,
		t: vscode.l10n.t,
	});
}

/**
 * Pulls one app: asks for a name where it is no file yet, and before anything is overwritten that is nowhere else.
 * @returns the file, where it is as the deployment has the app now
 */
export async function pullOne(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<vscode.Uri | undefined> {
	const title = vscode.l10n.t('Pulling {0} from Dify', quoted(of.app.name));
	const planned = (into: Parameters<typeof plannedPull>[2]) =>
		withDeployment(parts, of.connectionId, management => working(title, signal => plannedPull(management, of, into, signal)));
	let plan = await planned(file);
	const uri = plan.here === undefined ? await newFile(parts, plan) : file?.uri;
	if (uri && plan.here === undefined && (await textOfFile(uri)) !== undefined) {
		// one that is there, and is of no app that is known: its sidecar file may be broken
		plan = await planned({ uri, link: (await readSidecar(uri).catch(() => undefined))?.link });
	}
	if (!uri || !(await mayWrite(parts, uri, plan))) {
		return undefined;
	}
	await writePull(parts, of, uri, plan);
	if (plan.kind === 'new') {
		await vscode.window.showTextDocument(uri, { preview: false });
	}
	tell(pulledText(uri, plan));
	return uri;
}

/** What became of a file, in a sentence. */
function pulledText(uri: vscode.Uri, plan: PullPlan): string {
	const file = vscode.workspace.asRelativePath(uri);
	switch (plan.kind) {
		case 'new':
			return vscode.l10n.t('Pulled {0} from Dify as {1}.', quoted(plan.app.name), file);
		case 'same':
			return vscode.l10n.t('{0} is as Dify has {1}.', file, quoted(plan.app.name));
		default:
			return vscode.l10n.t(
				'Pulled {0} from Dify into {1}: {2}.',
				quoted(plan.app.name),
				file,
				plan.difference ? differenceText(plan.difference) : vscode.l10n.t('the file could not be read before'),
			);
	}
}

async function newFile(parts: AppWork, plan: PullPlan): Promise<vscode.Uri | undefined> {
	const place = await choosePullFolder(parts, vscode.l10n.t('Pull {0} from Dify', quoted(plan.app.name)));
	return place && askFileFor(plan.app.name, place);
}

/** Whether a pull may be carried out: asks where it loses something, with both texts beside each other. */
async function mayWrite(parts: AppWork, uri: vscode.Uri, plan: PullPlan): Promise<boolean> {
	if (!plan.losesHere) {
		return true;
	}
	const app = quoted(plan.app.name);
	const file = vscode.workspace.asRelativePath(uri);
	await parts.compared.show(vscode.l10n.t('{0}: in Dify ↔ here', file), { name: `${plan.app.name}.yml`, text: plan.text ?? '' }, uri);
	const way = await chooseWay(vscode.l10n.t('Pull {0} from Dify', app), lossText(plan, file), [
		{
			way: 'pull',
			icon: 'cloud-download',
			label: vscode.l10n.t('Take What Is in Dify…'),
			detail: vscode.l10n.t('Overwrites the file; a copy of it is kept'),
		},
		{ way: 'leave', icon: 'close', label: vscode.l10n.t('Leave the File as It Is') },
	]);
	const question = vscode.l10n.t('Overwrite {0} with {1} of Dify?', file, app);
	const kept = vscode.l10n.t("The file is backed up first. Use 'Restore App Backup…' to bring it back.");
	const lines = plan.difference ? differenceDetail(plan.difference) : [];
	return way === 'pull' && (await confirmed(question, [...lines, '', kept], vscode.l10n.t('Overwrite')));
}

function lossText(plan: PullPlan, file: string): string {
	switch (plan.kind) {
		case 'keeps-here':
			return vscode.l10n.t('{0} was changed here, and Dify has nothing newer: pulling undoes what was done here', file);
		case 'conflict':
			return vscode.l10n.t('{0} was changed here, and the app in Dify too since it was pulled', file);
		case 'other-app':
			return vscode.l10n.t('{0} is of another app so far', file);
		default:
			return vscode.l10n.t('{0} differs from the app in Dify', file);
	}
}
