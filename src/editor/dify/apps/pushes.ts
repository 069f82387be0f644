import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { carryOutPush } from '#dify/carryOutPush.ts';
import { readApp } from '#dify/content/appContent.ts';
import { pulledText } from '#dify/files/pulledText.ts';
import { linkTo } from '#dify/linkMade.ts';
import { planPush } from '#dify/pushPlan.ts';
import type { PushOutcome, PushPlan } from '#dify/syncTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { appOf } from './appTargets.ts';
import { type AppWork, connectionName, withDeployment } from './appWork.ts';
import { chooseWay, confirmed, differenceDetail, differenceText, quoted, tell, working } from './dialogues.ts';
import { saved, textOfFile } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { pullOne } from './pulls.ts';
import { writeSidecar } from './pullWriting.ts';
import { nameOfFile, settlePush } from './pushEnds.ts';
import { faultLines, mayTake } from './pushWords.ts';

/** What is pushed: a file, or a text in its place (what was there before, say). */
interface Pushed {
	readonly file: LinkedFile;
	/** Default: what the file says, once it is saved. */
	readonly text?: string;
}

/** Apps that this window pushes to. */
const underWay = new Set<string>();

/**
 * Pushes a file to the app that it is of. Nothing that changed there since it was pulled is overwritten unless the user has seen it and says so; what was
 * there is kept.
 * @returns how the app is called and stands there, where the push arrived
 */
export async function pushOne(parts: AppWork, { file, text }: Pushed): Promise<PushOutcome | undefined> {
	requireTrust();
	const of = appOf(parts, file);
	if (!(await saved(file.uri))) {
		return undefined;
	}
	const key = `${file.link.origin}/${file.link.app_id}`;
	if (underWay.has(key)) {
		throw new Problem('under-way', vscode.l10n.t('The app of {0} is being pushed already.', nameOfFile(file)));
	}
	underWay.add(key);
	try {
		return await withDeployment(parts, of.connectionId, management => pushWith(parts, management, of, file, text));
	} finally {
		underWay.delete(key);
	}
}

/** What pushing goes through; begun anew where the sign-in ended on the way. */
async function pushWith(
	parts: AppWork,
	management: DifyManagement,
	of: AppOfDeployment,
	file: LinkedFile,
	given: string | undefined,
): Promise<PushOutcome | undefined> {
	const title = vscode.l10n.t('Pushing {0} to Dify', nameOfFile(file));
	if (!(await mayPush(parts, management, of, file))) {
		return undefined;
	}
	const text = given ?? (await textOfFile(file.uri));
	if (text === undefined) {
		throw new Problem('no-agent-file', vscode.l10n.t('{0} is gone: nothing was sent.', nameOfFile(file)));
	}
	let plan: PushPlan | undefined = await working(title, signal =>
		planPush({ management, link: file.link, text, signal, t: vscode.l10n.t }),
	);
	const isOther = given !== undefined;
	let news = '';
	for (;;) {
		const decision = await decide(parts, of, file, plan, { news, isOther });
		if (decision === 'pull') {
			await pullOne(parts, of, file);
			return undefined;
		}
		if (decision === 'leave') {
			return undefined;
		}
		if (decision === 'nothing') {
			if (!isOther) {
				await writeSidecar(file.uri, linkTo(plan.link, plan.there, readApp(plan.there.text)));
			}
			await parts.links.learn(of, plan.there, file.uri);
			tell(vscode.l10n.t('Dify has {0} as it is: nothing was pushed.', nameOfFile(file)));
			return undefined;
		}
		if (given === undefined && (await textOfFile(file.uri)) !== text) {
			throw new Problem('changed-meanwhile', vscode.l10n.t('{0} changed meanwhile, so nothing was pushed: do it again.', nameOfFile(file)));
		}
		const agreed: PushPlan = plan;
		let outcome = await working(title, signal =>
			carryOutPush(agreed, { management, backups: parts.backups, overwrite: decision === 'overwrite', signal, t: vscode.l10n.t }),
		);
		while (outcome.kind === 'pending') {
			const { confirm } = outcome;
			if (!(await mayTake(outcome))) {
				return undefined;
			}
			outcome = await working(title, signal => confirm({ signal, t: vscode.l10n.t }));
		}
		if (outcome.kind === 'changed-meanwhile') {
			({ plan, message: news } = outcome);
			continue;
		}
		await settlePush(parts, of, file, plan, outcome, isOther);
		return outcome;
	}
}

/** What is to be done with a plan. */
async function decide(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile,
	plan: PushPlan,
	{ news, isOther }: { readonly news: string; readonly isOther: boolean },
): Promise<'push' | 'overwrite' | 'pull' | 'leave' | 'nothing'> {
	switch (plan.state) {
		case 'same':
			return 'nothing';
		case 'layout':
		case 'changed-here':
			return (await mayLose(file, plan, isOther)) ? 'push' : 'leave';
		case 'changed-there':
		case 'changed-both':
			return decideConflict(parts, of, file, plan, news);
	}
}

/** Asks before a push that loses something there, or that users see at once; and before one of a file that the deployment finds wrong. */
async function mayLose(file: LinkedFile, { effects, faults, difference }: PushPlan, isOther: boolean): Promise<boolean> {
	const worries = effects.filter(({ severity }) => severity === 'warning');
	if (worries.length === 0 && faults.length === 0 && !isOther) {
		return true;
	}
	const lines = [...faultLines(faults), ...effects.map(({ text }) => text), '', ...differenceDetail(difference)];
	const question = isOther
		? vscode.l10n.t('Push to Dify what was kept of the app of {0}?', nameOfFile(file))
		: vscode.l10n.t('Push {0} to Dify?', nameOfFile(file));
	return confirmed(question, lines, vscode.l10n.t('Push'));
}

async function decideConflict(
	parts: AppWork,
	of: AppOfDeployment,
	file: LinkedFile,
	plan: PushPlan,
	news: string,
): Promise<'overwrite' | 'pull' | 'leave'> {
	const name = nameOfFile(file);
	await parts.compared.show(
		vscode.l10n.t('{0}: in Dify ↔ here', name),
		{ name: `${of.app.name}.yml`, text: pulledText(plan.here, plan.there.text) },
		{ name: `${of.app.name} (here).yml`, text: plan.here },
	);
	const what =
		plan.state === 'changed-both'
			? vscode.l10n.t('The app in Dify was changed since {0} was pulled, and so was the file', name)
			: vscode.l10n.t('The app in Dify was changed since {0} was pulled; the file was not', name);
	const way = await chooseWay(vscode.l10n.t('Push {0} to Dify', name), news === '' ? what : `${news} ${what}`, [
		{
			way: 'pull',
			icon: 'cloud-download',
			label: vscode.l10n.t('Pull…'),
			detail: vscode.l10n.t('Takes what is in Dify into the file: {0}', differenceText(plan.difference)),
		},
		{
			way: 'overwrite',
			icon: 'cloud-upload',
			label: vscode.l10n.t('Overwrite There…'),
			detail: vscode.l10n.t('Undoes what was changed there; a copy of it is kept'),
		},
		{ way: 'leave', icon: 'close', label: vscode.l10n.t('Cancel') },
	]);
	if (way !== 'overwrite') {
		return way ?? 'leave';
	}
	const kept = vscode.l10n.t("The draft in Dify is backed up first. Use 'Restore App Backup…' to bring it back.");
	const lines = [...faultLines(plan.faults), ...differenceDetail(plan.difference), '', ...plan.effects.map(({ text }) => text), kept];
	const question = vscode.l10n.t('Overwrite the app in Dify with {0}?', name);
	return (await confirmed(question, lines, vscode.l10n.t('Overwrite'))) ? 'overwrite' : 'leave';
}

/** Asks once for each file and app whether what the file says may go there: its sidecar file may be anybody's. */
async function mayPush(parts: AppWork, management: DifyManagement, of: AppOfDeployment, { uri, link }: LinkedFile): Promise<boolean> {
	if (parts.consents.has(uri.toString(), link)) {
		return true;
	}
	const app = await management.app(link.app_id);
	const lines = [
		vscode.l10n.t('App: {0}', quoted(app.name)),
		vscode.l10n.t('Deployment: {0}', link.origin),
		vscode.l10n.t('Connection: {0}', connectionName(parts, of.connectionId)),
		'',
		vscode.l10n.t('The file beside it says that it belongs there. You are asked once for each file and app.'),
	];
	const question = vscode.l10n.t('Push {0} to this app in Dify?', vscode.workspace.asRelativePath(uri));
	if (!(await confirmed(question, lines, vscode.l10n.t('Push')))) {
		return false;
	}
	await parts.consents.add(uri.toString(), link);
	return true;
}
