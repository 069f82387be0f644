import * as vscode from 'vscode';
import { getErrorMessage, isCancellation } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import { formatList } from '../../platform/format.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { translateError } from '../../platform/translateError.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { chooseFileOfApp } from './appTargets.ts';
import { type AppWork, isSignInExpired, runWithManagement } from './appWork.ts';
import { chooseOption, shortenName, showMessage } from './dialogues.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { planPullIntoFile, pullApp } from './pulls.ts';
import { choosePullFolder, isNameTaken, type PullFolder, reserveFile, writePulledFile } from './pullWriting.ts';

/** Results of pulling several apps. */
interface Pulled {
	readonly made: AppOfDeployment[];
	readonly updated: AppOfDeployment[];
	readonly same: AppOfDeployment[];
	/** Apps that were skipped, because they have changed locally or the user has to decide. */
	readonly left: AppOfDeployment[];
	readonly failed: { readonly of: AppOfDeployment; readonly message: string }[];
}

/**
 * Pulls several apps of one deployment. Updates files without local changes, and creates files for new apps. Skips apps whose pull would
 * overwrite local changes, and offers to review them one by one afterwards. If the user cancels, finished pulls are kept.
 */
export async function pullSeveralApps(parts: AppWork, apps: readonly AppOfDeployment[]): Promise<void> {
	const [first] = apps;
	if (!first) {
		showMessage(vscode.l10n.t('No apps to pull.'));
		return;
	}
	const title = apps.length === 1 ? vscode.l10n.t('Pull 1 app from Dify') : vscode.l10n.t('Pull {0} apps from Dify', apps.length);
	const fresh: AppOfDeployment[] = [];
	for (const of of apps) {
		if ((await parts.links.loadFiles(of)).length === 0) {
			fresh.push(of);
		}
	}
	const place = fresh.length > 0 ? await choosePullFolder(parts, title) : undefined;
	const wanted = fresh.length === 0 ? apps : place && (await resolveCollisions(title, apps, fresh, place));
	if (!wanted) {
		return;
	}
	const pulled: Pulled = { made: [], updated: [], same: [], left: [], failed: [] };
	const done = new Set<AppOfDeployment>();
	const pullEachApp = async (management: DifyManagement, signal: AbortSignal, report: (message: string) => void) => {
		for (const [at, of] of wanted.entries()) {
			if (!done.has(of)) {
				report(
					vscode.l10n.t({
						message: '{0} of {1}: {2}',
						args: [at + 1, wanted.length, toOneLine(of.app.name, 60)],
						comment: ['progress: number of the app, number of all apps, name of the app'],
					}),
				);
				await pullIntoFiles(parts, management, of, place, pulled, signal);
				done.add(of);
			}
		}
	};
	try {
		await runWithManagement(parts, first.connectionId, management =>
			runWithProgress(vscode.l10n.t('Pulling from Dify…'), (signal, report) => pullEachApp(management, signal, report)),
		);
	} catch (error) {
		// report what was pulled before the cancellation
		if (!isCancellation(error)) {
			throw error;
		}
	}
	await showPullResults(parts, pulled, wanted.length - done.size);
}

/** Pulls one of several apps into each of its files. Collects errors. Doesn't catch cancellations and expired sign-ins. */
async function pullIntoFiles(
	parts: AppWork,
	management: DifyManagement,
	of: AppOfDeployment,
	place: PullFolder | undefined,
	pulled: Pulled,
	signal: AbortSignal,
): Promise<void> {
	try {
		const files = await parts.links.loadFiles(of);
		const ends: Exclude<keyof Pulled, 'failed'>[] = [];
		for (const file of files.length > 0 ? files : [undefined]) {
			ends.push(await pullIntoFile(parts, management, of, file, place, signal));
		}
		const end = (['left', 'made', 'updated'] as const).find(each => ends.includes(each)) ?? 'same';
		pulled[end].push(of);
	} catch (error) {
		if (isCancellation(error) || isSignInExpired(error)) {
			throw error;
		}
		parts.log.warn(`Pulling ${of.app.id}: ${getErrorMessage(error)}`);
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
	const plan = await planPullIntoFile(management, of, file, signal);
	const uri = file?.uri ?? (place && reserveFile(of.app.name, place));
	if (plan.losesHere || !uri) {
		return 'left';
	}
	await writePulledFile(parts, of, uri, plan);
	return plan.kind === 'new' ? 'made' : plan.text === undefined ? 'same' : 'updated';
}

/** Asks what to do with apps whose file names are taken, and returns the apps to pull. Returns `undefined` if the user cancels. */
async function resolveCollisions(
	title: string,
	apps: readonly AppOfDeployment[],
	fresh: readonly AppOfDeployment[],
	place: PullFolder,
): Promise<readonly AppOfDeployment[] | undefined> {
	const taken = fresh.filter(({ app }) => isNameTaken(app.name, place));
	if (taken.length === 0) {
		return apps;
	}
	const names = formatList(taken.slice(0, 5).map(({ app }) => shortenName(app.name)));
	const list =
		taken.length > 5
			? vscode.l10n.t({
					message: '{0}, and {1} more',
					args: [names, taken.length - 5],
					comment: ["{0} is a list of names, {1} is the number of names that aren't shown"],
				})
			: names;
	const way = await chooseOption(title, vscode.l10n.t("Agents with these names already exist and aren't linked to an app: {0}", list), [
		{
			way: 'number',
			icon: 'new-file',
			label: vscode.l10n.t('Use different names'),
			detail: vscode.l10n.t('Add a number to each name'),
		},
		{ way: 'leave', icon: 'close', label: vscode.l10n.t('Skip'), detail: vscode.l10n.t('Pull only the other apps') },
	]);
	return way === 'leave' ? apps.filter(of => !taken.includes(of)) : way && apps;
}

/** Shows the results, and offers to review the skipped apps. */
async function showPullResults(parts: AppWork, { made, updated, same, left, failed }: Pulled, missed: number): Promise<void> {
	const [fault] = failed;
	const sentences = [
		formatCounts(made.length, updated.length, same.length),
		...(missed > 0
			? [missed === 1 ? vscode.l10n.t('Canceled with 1 app remaining.') : vscode.l10n.t('Canceled with {0} apps remaining.', missed)]
			: []),
		...(left.length > 0 ? [vscode.l10n.t('Skipped because of local changes: {0}.', formatNames(left))] : []),
		...(fault
			? [
					vscode.l10n.t({
						message: "Couldn't pull {0}. {1}",
						args: [formatNames(failed.map(({ of }) => of)), toOneLine(fault.message, 200)],
						comment: ['{0} is a list of names of apps in quotes, {1} is a sentence that says why'],
					}),
				]
			: []),
	];
	const text = escapeLinks(sentences.join(' '));
	const review = vscode.l10n.t('Review skipped apps');
	const show = fault ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
	if (left.length === 0) {
		void show(text);
	} else if ((await show(text, review)) === review) {
		for (const of of left) {
			await pullApp(parts, of, await chooseFileOfApp(parts, of, vscode.l10n.t('Pull App')));
		}
	}
}

/** Formats the counts. Skips zeros. */
function formatCounts(made: number, updated: number, same: number): string {
	const counts = [
		...(made > 0 ? [vscode.l10n.t({ message: '{0} new', args: [made], comment: ['{0} is a number of apps'] })] : []),
		...(updated > 0 ? [vscode.l10n.t({ message: '{0} updated', args: [updated], comment: ['{0} is a number of apps'] })] : []),
		...(same > 0 ? [vscode.l10n.t({ message: '{0} unchanged', args: [same], comment: ['{0} is a number of apps'] })] : []),
	];
	return counts.length === 0
		? vscode.l10n.t('No apps were pulled from Dify.')
		: vscode.l10n.t('Pulled from Dify: {0}.', formatList(counts));
}

function formatNames(apps: readonly AppOfDeployment[]): string {
	const names = apps.slice(0, 4).map(({ app }) => shortenName(app.name));
	return apps.length > 4
		? vscode.l10n.t({
				message: '{0}, and {1} more',
				args: [formatList(names), apps.length - 4],
				comment: ["{0} is a list of names, {1} is the number of names that aren't shown"],
			})
		: formatList(names);
}
