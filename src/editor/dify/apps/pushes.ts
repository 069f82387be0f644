import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { carryOutPush } from '#dify/carryOutPush.ts';
import { readApp } from '#dify/content/appContent.ts';
import { createPulledText } from '#dify/files/pulledText.ts';
import { createLink } from '#dify/linkMade.ts';
import { planPush } from '#dify/pushPlan.ts';
import type { PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { requireTrust } from '../../platform/trust.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { getLinkedApp } from './appTargets.ts';
import { type AppWork, getConnectionName, runWithManagement } from './appWork.ts';
import {
	askToConfirm,
	chooseOption,
	createMergeOption,
	listDifferences,
	shortenName,
	showMessage,
	summarizeDifference,
} from './dialogues.ts';
import { readFileText, saveFile } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { mergeFile } from './merging.ts';
import { pullApp } from './pulls.ts';
import { writeSidecar } from './pullWriting.ts';
import { finishPush, getFileName } from './pushEnds.ts';
import { confirmImport, listFaults } from './pushMessages.ts';

/** A file to push. `text` is pushed instead of its content, for example to restore a backup. */
interface Pushed {
	readonly file: LinkedFile;
	/** Default: the text of the file, after saving it. */
	readonly text?: string;
}

/** Apps that this window is currently pushing to. */
const underWay = new Set<string>();

/**
 * Pushes a file to its app. Before overwriting changes that were made in Dify since the last pull, asks the user and saves a backup.
 * @returns the outcome, or `undefined` if nothing was pushed
 */
export async function pushFile(parts: AppWork, { file, text }: Pushed): Promise<PushOutcome | undefined> {
	requireTrust();
	const of = getLinkedApp(parts, file);
	if (!(await saveFile(file.uri))) {
		return undefined;
	}
	const key = `${file.link.origin}/${file.link.app_id}`;
	if (underWay.has(key)) {
		throw new Problem('under-way', vscode.l10n.t("'{0}' is already being pushed.", getFileName(file)));
	}
	underWay.add(key);
	try {
		return await runWithManagement(parts, of.connectionId, management => pushWithManagement(parts, management, of, file, text));
	} finally {
		underWay.delete(key);
	}
}

/** Pushes a file with the management of its deployment. If the sign-in expires, this function is called again from the start. */
async function pushWithManagement(
	parts: AppWork,
	management: DifyManagement,
	of: AppOfDeployment,
	file: LinkedFile,
	given: string | undefined,
): Promise<PushOutcome | undefined> {
	const title = vscode.l10n.t("Pushing '{0}' to Dify…", getFileName(file));
	if (!(await confirmTarget(parts, management, of, file))) {
		return undefined;
	}
	const text = given ?? (await readFileText(file.uri));
	if (text === undefined) {
		throw new Problem('no-agent-file', vscode.l10n.t("'{0}' no longer exists, so it wasn't pushed.", getFileName(file)));
	}
	let plan: PushPlan | undefined = await runWithProgress(title, signal =>
		planPush({ management, link: file.link, text, signal, t: vscode.l10n.t }),
	);
	const isOther = given !== undefined;
	let news = '';
	for (;;) {
		const decision = await decideOnPlan(parts, of, file, plan, { news, isOther });
		if (decision === 'pull') {
			await pullApp(parts, of, file);
			return undefined;
		}
		if (decision === 'leave' || decision === 'merge') {
			return undefined;
		}
		if (decision === 'nothing') {
			if (!isOther) {
				await writeSidecar(parts, file.uri, createLink(plan.link, plan.there, readApp(plan.there.text)), text);
			}
			await parts.links.updateLink(of, plan.there, file.uri);
			showMessage(vscode.l10n.t("Nothing to push: '{0}' and the app in Dify are identical.", getFileName(file)));
			return undefined;
		}
		if (given === undefined && (await readFileText(file.uri)) !== text) {
			throw new Problem(
				'changed-meanwhile',
				vscode.l10n.t("'{0}' has changed in the meantime, so it wasn't pushed. Try again.", getFileName(file)),
			);
		}
		const agreed: PushPlan = plan;
		let outcome = await runWithProgress(title, signal =>
			carryOutPush(agreed, { management, backups: parts.backups, overwrite: decision === 'overwrite', signal, t: vscode.l10n.t }),
		);
		while (outcome.kind === 'pending') {
			const { confirm } = outcome;
			if (!(await confirmImport(outcome))) {
				return undefined;
			}
			outcome = await runWithProgress(title, signal => confirm({ signal, t: vscode.l10n.t }));
		}
		if (outcome.kind === 'changed-meanwhile') {
			({ plan, message: news } = outcome);
			continue;
		}
		await finishPush(parts, of, file, plan, outcome, isOther);
		return outcome;
	}
}

/** Decides what to do with a plan, and asks the user if needed. */
async function decideOnPlan(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile,
	plan: PushPlan,
	{ news, isOther }: { readonly news: string; readonly isOther: boolean },
): Promise<'push' | 'overwrite' | 'pull' | 'merge' | 'leave' | 'nothing'> {
	switch (plan.state) {
		case 'same':
			return 'nothing';
		case 'layout':
		case 'changed-here':
			return (await confirmPush(file, plan, isOther)) ? 'push' : 'leave';
		case 'changed-there':
		case 'changed-both':
			return resolveConflict(parts, of, file, plan, { news, isOther });
	}
}

/** Asks before a push that loses something in Dify, takes effect for users immediately, or contains problems that Dify found. */
async function confirmPush(file: LinkedFile, { effects, faults, difference }: PushPlan, isOther: boolean): Promise<boolean> {
	const worries = effects.filter(({ severity }) => severity === 'warning');
	if (worries.length === 0 && faults.length === 0 && !isOther) {
		return true;
	}
	const lines = [...listFaults(faults), ...effects.map(({ text }) => text), '', ...listDifferences(difference)];
	const question = isOther
		? vscode.l10n.t("Push the backup of the app linked to '{0}' to Dify?", getFileName(file))
		: vscode.l10n.t("Push '{0}' to Dify?", getFileName(file));
	return askToConfirm(question, lines, vscode.l10n.t('Push'));
}

async function resolveConflict(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile,
	plan: PushPlan,
	{ news, isOther }: { readonly news: string; readonly isOther: boolean },
): Promise<'overwrite' | 'pull' | 'merge' | 'leave'> {
	const name = getFileName(file);
	const base = plan.state === 'changed-both' && !isOther ? await parts.bases.readBase(plan.link.base.content_hash) : undefined;
	await parts.compared.showDiff(
		vscode.l10n.t({ message: '{0} (Dify ↔ Local)', args: [name], comment: ['{0} is the name of a file'] }),
		{ name: `${of.app.name}.yml`, text: createPulledText(plan.here, plan.there.text) },
		{ name: `${of.app.name} (here).yml`, text: plan.here },
	);
	const what =
		plan.state === 'changed-both'
			? vscode.l10n.t("Both '{0}' and the app in Dify have changed since the last pull.", name)
			: vscode.l10n.t("The app in Dify has changed since '{0}' was pulled. The file hasn't changed.", name);
	const way = await chooseOption(vscode.l10n.t("Push '{0}' to Dify", name), news === '' ? what : `${news} ${what}`, [
		...(base === undefined ? [] : [createMergeOption()]),
		{
			way: 'pull',
			icon: 'cloud-download',
			label: vscode.l10n.t('Pull…'),
			detail: vscode.l10n.t('Update the file: {0}', summarizeDifference(plan.difference)),
		},
		{
			way: 'overwrite',
			icon: 'cloud-upload',
			label: vscode.l10n.t('Overwrite app in Dify…'),
			detail: vscode.l10n.t('Discard the changes made in Dify. A backup will be saved.'),
		},
		{ way: 'leave', icon: 'close', label: vscode.l10n.t('Cancel') },
	]);
	if (way === 'merge' && base !== undefined) {
		const there = createPulledText(plan.here, plan.there.text);
		const link = createLink(plan.link, plan.there, readApp(plan.there.text));
		await mergeFile(parts, { uri: file.uri, appName: of.app.name, base, here: plan.here, there, link });
	}
	if (way !== 'overwrite') {
		return way ?? 'leave';
	}
	const kept = vscode.l10n.t("A backup of the app will be saved. To restore it, run 'Restore App Backup…'.");
	const lines = [...listFaults(plan.faults), ...listDifferences(plan.difference), '', ...plan.effects.map(({ text }) => text), kept];
	const question = vscode.l10n.t("Overwrite the app in Dify with '{0}'?", name);
	return (await askToConfirm(question, lines, vscode.l10n.t('Overwrite'))) ? 'overwrite' : 'leave';
}

/** Asks once for each file and app whether to push there, because anyone may have written the sidecar file. */
async function confirmTarget(parts: AppWork, management: DifyManagement, of: AppOfDeployment, { uri, link }: LinkedFile): Promise<boolean> {
	if (parts.consents.has(uri.toString(), link)) {
		return true;
	}
	const app = await management.app(link.app_id);
	const lines = [
		vscode.l10n.t('App: {0}', shortenName(app.name)),
		vscode.l10n.t('Dify server: {0}', link.origin),
		vscode.l10n.t('Connection: {0}', getConnectionName(parts, of.connectionId)),
		'',
		vscode.l10n.t("The .dify.json file next to the agent file links it to this app. You'll be asked only once for each file and app."),
	];
	const question = vscode.l10n.t("Push '{0}' to this app in Dify?", vscode.workspace.asRelativePath(uri));
	if (!(await askToConfirm(question, lines, vscode.l10n.t('Push')))) {
		return false;
	}
	await parts.consents.add(uri.toString(), link);
	return true;
}
