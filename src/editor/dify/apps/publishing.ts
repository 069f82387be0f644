import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AppVersion, DifyManagement } from '#client/dify/management.ts';
import { readApp } from '#dify/content/appContent.ts';
import { getAppName } from '#dify/linkMade.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { getWorkspaceId } from '#dify/matchingDeployment.ts';
import { carryOutPublish, planPublish, versionLimits } from '#dify/publishPlan.ts';
import type { PublishPlan } from '#dify/syncTypes.ts';
import { runWithProgress } from '../../platform/progress.ts';
import { requireTrust } from '../../platform/trust.ts';
import { formatRelativeTime, toOneLine } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, runWithManagement } from './appWork.ts';
import { askToConfirm, chooseOption, listDifferences, shortenName, showMessage, summarizeDifference } from './dialogues.ts';
import { readFileText } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { pushFile } from './pushes.ts';

/** Publishes the draft of an app. First shows what is published now, and whether the draft matches the file. */
export async function publishApp(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<void> {
	await runWithManagement(parts, of.connectionId, async management => {
		if (management.offers.has('publish')) {
			await publishWithManagement(parts, management, of, file);
		} else {
			await publishInBrowser(parts, management, of);
		}
	});
}

/** Opens the app in the browser, for deployments without an API for publishing. */
async function publishInBrowser(parts: AppWork, management: DifyManagement, of: AppOfDeployment): Promise<void> {
	const { version, origin } = management.deployment;
	await vscode.env.openExternal(vscode.Uri.parse(await parts.deployments.getAppUrl(of.connectionId, of.app.id)));
	showMessage(
		vscode.l10n.t(
			"Apps on Dify {0} at {1} can only be published in the browser. '{2}' was opened there. Select 'Publish' on that page.",
			version ?? '',
			origin,
			shortenName(of.app.name),
		),
	);
}

async function publishWithManagement(
	parts: AppWork,
	management: DifyManagement,
	of: AppOfDeployment,
	file: LinkedFile | undefined,
): Promise<void> {
	if (file) {
		// the app is named by its sidecar file
		requireTrust();
	}
	const title = vscode.l10n.t("Publishing '{0}' in Dify…", shortenName(of.app.name));
	const link = file?.link ?? (await createLink(management, of));
	// read the file each time, because a push in between may have changed it
	const createRequest = async () => {
		const text = file && (await readFileText(file.uri));
		return { management, link, ...(text !== undefined && { text }), t: vscode.l10n.t };
	};
	const createPlan = async () => {
		const request = await createRequest();
		return runWithProgress(title, signal => planPublish({ ...request, signal }));
	};
	let plan: PublishPlan = await createPlan();
	let given = { name: '', comment: '' };
	let news = '';
	for (;;) {
		const way = file && plan.fileDifference && !plan.fileDifference.isSame ? await chooseDraftOrFile(of, file, plan) : 'publish';
		if (way === 'push' && file) {
			if ((await pushFile(parts, { file }))?.kind !== 'done') {
				return;
			}
			plan = await createPlan();
			continue;
		}
		const version = way === 'publish' ? await askVersion(of, given) : undefined;
		if (!version || !(await confirmPublish(of, plan, version, news))) {
			return;
		}
		given = version;
		const agreed = plan;
		const order = { ...(await createRequest()), ...version };
		const outcome = await runWithProgress(title, signal => carryOutPublish(agreed, { ...order, signal }));
		switch (outcome.kind) {
			case 'changed-meanwhile':
				({ plan, message: news } = outcome);
				continue;
			case 'done':
				parts.deployments.reloadApps(of.connectionId);
				showMessage(
					[
						vscode.l10n.t("Published '{0}' in Dify.", shortenName(of.app.name)),
						...(outcome.replyLost ? [vscode.l10n.t("Dify's response was lost, but the app was published.")] : []),
						...(outcome.warning === undefined ? [] : [outcome.warning]),
					].join(' '),
					[],
					outcome.warning === undefined ? 'info' : 'warning',
				);
				return;
			case 'failed':
				throw new Problem(
					'refused',
					vscode.l10n.t("Dify didn't publish '{0}': {1}", shortenName(of.app.name), toOneLine(outcome.message, 300)),
				);
			case 'not-arrived':
			case 'unknown':
				showMessage(
					outcome.message,
					[{ title: vscode.l10n.t('Open in Dify'), command: 'agentWorkbench.difyApp.open', arguments: [of] }],
					'warning',
				);
				return;
		}
	}
}

/** Asks whether to publish the draft or push the file first, if the two differ. */
async function chooseDraftOrFile(
	of: AppOfDeployment,
	file: LinkedFile,
	{ fileDifference }: PublishPlan,
): Promise<'push' | 'publish' | undefined> {
	const name = vscode.workspace.asRelativePath(file.uri);
	const difference = fileDifference ? summarizeDifference(fileDifference) : '';
	const placeHolder = vscode.l10n.t("The draft in Dify differs from '{0}': {1}", name, difference);
	return chooseOption(vscode.l10n.t("Publish '{0}' in Dify", shortenName(of.app.name)), placeHolder, [
		{
			way: 'push',
			icon: 'cloud-upload',
			label: vscode.l10n.t('Push file first…'),
			detail: vscode.l10n.t('Then publish the new draft'),
		},
		{
			way: 'publish',
			icon: 'rocket',
			label: vscode.l10n.t('Publish current draft…'),
			detail: vscode.l10n.t('Without the local changes'),
		},
	]);
}

/** Asks for the name and the release notes of the version. Both may be empty. */
async function askVersion(of: AppOfDeployment, given: { readonly name: string; readonly comment: string }) {
	const askForText = (prompt: string, value: string, most: number, step: number) =>
		vscode.window.showInputBox({
			title: vscode.l10n.t({
				message: "Publish '{0}' in Dify ({1}/{2})",
				args: [shortenName(of.app.name), step, 2],
				comment: ['{0} is the name of an app, {1} the number of the current step, {2} the number of all steps'],
			}),
			prompt,
			value,
			ignoreFocusOut: true,
			validateInput: text =>
				[...text].length > most ? vscode.l10n.t('Use at most {0} characters (now {1}).', most, [...text].length) : undefined,
		});
	const name = await askForText(vscode.l10n.t('Version name (optional)'), given.name, versionLimits.name, 1);
	const comment =
		name === undefined ? undefined : await askForText(vscode.l10n.t('Release notes (optional)'), given.comment, versionLimits.comment, 2);
	return name === undefined || comment === undefined ? undefined : { name: name.trim(), comment: comment.trim() };
}

function confirmPublish(
	{ app }: AppOfDeployment,
	{ draft, published, difference, warnings }: PublishPlan,
	given: { readonly name: string; readonly comment: string },
	news: string,
): Promise<boolean> {
	const lines = [
		news,
		describePublished(published),
		...(difference
			? [
					vscode.l10n.t({
						message: 'Changes for users: {0}',
						args: [summarizeDifference(difference)],
						comment: ["{0} summarizes the differences, such as '2 nodes differ'"],
					}),
					...listDifferences(difference),
				]
			: []),
		...warnings,
		given.name === '' && given.comment === ''
			? ''
			: vscode.l10n.t('New version: {0}', [given.name, given.comment].filter(text => text !== '').join(' – ')),
	].filter(line => line !== '');
	// show the app's name in Dify, because the link to the app comes from a workspace file that anyone may have written
	const name = getAppName(readApp(draft.text)) || app.name;
	return askToConfirm(vscode.l10n.t("Publish the draft of '{0}' in Dify?", shortenName(name)), lines, vscode.l10n.t('Publish'));
}

function describePublished(published: AppVersion | 'none' | 'unknown'): string {
	if (published === 'none') {
		return vscode.l10n.t("The app isn't published yet.");
	}
	if (published === 'unknown') {
		return vscode.l10n.t("This server doesn't report which version is currently published.");
	}
	return vscode.l10n.t('Currently published: {0}', describeVersion(published));
}

/** Returns the name of a version, or a short ID if it has no name. */
export function getVersionName({ name, id }: Pick<AppVersion, 'name' | 'id'>): string {
	return name === '' ? id.slice(0, 8) : shortenName(name);
}

/** Describes a version by its name, author and time. */
export function describeVersion({ name, by, createdAt, id }: AppVersion): string {
	return [getVersionName({ name, id }), by ?? '', createdAt === undefined ? '' : formatRelativeTime(createdAt * 1000)]
		.filter(text => text !== '')
		.join(' · ');
}

/** Creates a link to an app that has no file, so there is nothing to compare it with. */
async function createLink(management: DifyManagement, { app }: AppOfDeployment): Promise<DifyLink> {
	const workspace_id = await getWorkspaceId(management, { t: vscode.l10n.t });
	const base = { content_hash: '', dsl_version: '' };
	return { origin: management.deployment.origin, workspace_id, app_id: app.id, mode: app.mode, base };
}
