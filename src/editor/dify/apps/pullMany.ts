import * as vscode from 'vscode';
import { isCancellation, messageOf } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { translateError } from '../../platform/translateError.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { fileOfApp } from './appTargets.ts';
import { type AppWork, isSignInEnded, withDeployment } from './appWork.ts';
import { chooseWay, quoted, tell, working } from './dialogues.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { plannedPull, pullOne } from './pulls.ts';
import { choosePullFolder, fileFor, isTaken, type PullFolder, writePull } from './pullWriting.ts';

/** What became of apps that were pulled together. */
interface Pulled {
	readonly made: AppOfDeployment[];
	readonly updated: AppOfDeployment[];
	readonly same: AppOfDeployment[];
	/** Changed here too, or otherwise to be asked about: left as they are. */
	readonly left: AppOfDeployment[];
	readonly failed: { readonly of: AppOfDeployment; readonly message: string }[];
}

/**
 * Pulls several apps of one deployment: files that are as they were pulled are brought up to date, apps that are none yet become some. What would overwrite
 * something of the user's own is left, and gone through one by one afterwards if the user likes. Calling it off leaves what is done.
 */
export async function pullMany(parts: AppWork, apps: readonly AppOfDeployment[]): Promise<void> {
	const [first] = apps;
	if (!first) {
		tell(vscode.l10n.t('There is no app to pull.'));
		return;
	}
	const title = vscode.l10n.t('Pull {0} apps from Dify', apps.length);
	const fresh: AppOfDeployment[] = [];
	for (const of of apps) {
		if ((await parts.links.filesOf(of)).length === 0) {
			fresh.push(of);
		}
	}
	const place = fresh.length > 0 ? await choosePullFolder(parts, title) : undefined;
	const wanted = fresh.length === 0 ? apps : place && (await withoutCollisions(title, apps, fresh, place));
	if (!wanted) {
		return;
	}
	const pulled: Pulled = { made: [], updated: [], same: [], left: [], failed: [] };
	const done = new Set<AppOfDeployment>();
	const pullAll = async (management: DifyManagement, signal: AbortSignal, report: (message: string) => void) => {
		for (const [at, of] of wanted.entries()) {
			if (!done.has(of)) {
				report(vscode.l10n.t('{0} of {1}: {2}', at + 1, wanted.length, oneLine(of.app.name, 60)));
				await pullInto(parts, management, of, place, pulled, signal);
				done.add(of);
			}
		}
	};
	try {
		await withDeployment(parts, first.connectionId, management =>
			working(vscode.l10n.t('Pulling from Dify'), (signal, report) => pullAll(management, signal, report)),
		);
	} catch (error) {
		// what was pulled until then stays, and is told
		if (!isCancellation(error)) {
			throw error;
		}
	}
	await tellPulled(parts, pulled, wanted.length - done.size);
}

/** One of several apps, into each file that it has here. What fails is told at the end, but for the end of the sign-in and of the work itself. */
async function pullInto(
	parts: AppWork,
	management: DifyManagement,
	of: AppOfDeployment,
	place: PullFolder | undefined,
	pulled: Pulled,
	signal: AbortSignal,
): Promise<void> {
	try {
		const files = await parts.links.filesOf(of);
		const ends: Exclude<keyof Pulled, 'failed'>[] = [];
		for (const file of files.length > 0 ? files : [undefined]) {
			ends.push(await pullIntoFile(parts, management, of, file, place, signal));
		}
		const end = (['left', 'made', 'updated'] as const).find(each => ends.includes(each)) ?? 'same';
		pulled[end].push(of);
	} catch (error) {
		if (isCancellation(error) || isSignInEnded(error)) {
			throw error;
		}
		parts.log.warn(`Pulling ${of.app.id}: ${messageOf(error)}`);
		pulled.failed.push({ of, message: translateError(error) });
	}
}

async function pullIntoFile(
	parts: AppWork,
	management: DifyManagement,
	of: AppOfDeployment,
	file: LinkedFile | undefined,
	place: PullFolder | undefined,
	signal: AbortSignal,
): Promise<Exclude<keyof Pulled, 'failed'>> {
	const plan = await plannedPull(management, of, file, signal);
	const uri = file?.uri ?? (place && fileFor(of.app.name, place));
	if (plan.losesHere || !uri) {
		return 'left';
	}
	await writePull(parts, of, uri, plan);
	return plan.kind === 'new' ? 'made' : plan.text === undefined ? 'same' : 'updated';
}

/** The apps without those whose new files would have names that others have, unless these may get other names; `undefined`: the user backs out. */
async function withoutCollisions(
	title: string,
	apps: readonly AppOfDeployment[],
	fresh: readonly AppOfDeployment[],
	place: PullFolder,
): Promise<readonly AppOfDeployment[] | undefined> {
	const taken = fresh.filter(({ app }) => isTaken(app.name, place));
	if (taken.length === 0) {
		return apps;
	}
	const names = taken
		.slice(0, 5)
		.map(({ app }) => quoted(app.name))
		.join(', ');
	const question = taken.length > 5 ? vscode.l10n.t('{0} and {1} more', names, taken.length - 5) : names;
	const way = await chooseWay(title, vscode.l10n.t('Agents of these names are here already, and are of no app: {0}', question), [
		{
			way: 'number',
			icon: 'new-file',
			label: vscode.l10n.t('Give Them Other Names'),
			detail: vscode.l10n.t('With a number behind the name'),
		},
		{ way: 'leave', icon: 'close', label: vscode.l10n.t('Leave Them Out'), detail: vscode.l10n.t('The other apps are pulled') },
	]);
	return way === 'leave' ? apps.filter(of => !taken.includes(of)) : way && apps;
}

/** Says what became of the apps, and goes on with those that were left. */
async function tellPulled(parts: AppWork, { made, updated, same, left, failed }: Pulled, missed: number): Promise<void> {
	const [fault] = failed;
	const sentences = [
		countsText(made.length, updated.length, same.length),
		...(missed > 0 ? [vscode.l10n.t('Called off before {0} more.', missed)] : []),
		...(left.length > 0 ? [vscode.l10n.t('Changed here too, and left as they are: {0}.', namesOf(left))] : []),
		...(fault ? [vscode.l10n.t('Not pulled: {0}. {1}', namesOf(failed.map(({ of }) => of)), oneLine(fault.message, 200))] : []),
	];
	const text = withoutLinks(sentences.join(' '));
	const goOn = vscode.l10n.t('Go Through Them');
	const show = fault ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
	if (left.length === 0) {
		void show(text);
	} else if ((await show(text, goOn)) === goOn) {
		for (const of of left) {
			await pullOne(parts, of, await fileOfApp(parts, of, vscode.l10n.t('Pull App')));
		}
	}
}

/** How many of each, leaving out what none is. */
function countsText(made: number, updated: number, same: number): string {
	const counts = [
		...(made > 0 ? [vscode.l10n.t('{0} new', made)] : []),
		...(updated > 0 ? [vscode.l10n.t('{0} updated', updated)] : []),
		...(same > 0 ? [vscode.l10n.t('{0} as they were', same)] : []),
	];
	return counts.length === 0 ? vscode.l10n.t('Nothing was pulled from Dify.') : vscode.l10n.t('Pulled from Dify: {0}.', counts.join(', '));
}

function namesOf(apps: readonly AppOfDeployment[]): string {
	const names = apps.slice(0, 4).map(({ app }) => quoted(app.name));
	return apps.length > 4 ? vscode.l10n.t('{0} and {1} more', names.join(', '), apps.length - 4) : names.join(', ');
}
