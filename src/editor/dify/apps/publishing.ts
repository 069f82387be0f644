import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AppVersion, DifyManagement } from '#client/dify/management.ts';
import { readApp } from '#dify/content/appContent.ts';
import { nameOf } from '#dify/linkMade.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import { workspaceOf } from '#dify/matchingDeployment.ts';
import { carryOutPublish, planPublish, versionLimits } from '#dify/publishPlan.ts';
import type { PublishPlan } from '#dify/syncTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import { agoText, oneLine } from '../../platform/wording.ts';
import type { AppOfDeployment } from '../difyTypes.ts';
import { type AppWork, withDeployment } from './appWork.ts';
import { chooseWay, confirmed, differenceDetail, differenceText, quoted, tell, working } from './dialogues.ts';
import { textOfFile } from './fileTexts.ts';
import type { LinkedFile } from './linkedFiles.ts';
import { pushOne } from './pushes.ts';

/** Publishes the draft of an app: what users of it run from then on. Says before what is published now, and whether the draft is what the file says. */
export async function publishOne(parts: AppWork, of: AppOfDeployment, file: LinkedFile | undefined): Promise<void> {
	await withDeployment(parts, of.connectionId, async management => {
		if (management.offers.has('publish')) {
			await publishWith(parts, management, of, file);
		} else {
			await publishInBrowser(parts, management, of);
		}
	});
}

/** Of a deployment that cannot be asked to publish. */
async function publishInBrowser(parts: AppWork, management: DifyManagement, of: AppOfDeployment): Promise<void> {
	const { version, origin } = management.deployment;
	await vscode.env.openExternal(vscode.Uri.parse(await parts.deployments.consoleUrl(of.connectionId, of.app.id)));
	tell(
		vscode.l10n.t(
			'Dify {0} at {1} publishes in the browser alone: {2} was opened there, press “Publish”.',
			version ?? '',
			origin,
			quoted(of.app.name),
		),
	);
}

async function publishWith(parts: AppWork, management: DifyManagement, of: AppOfDeployment, file: LinkedFile | undefined): Promise<void> {
	if (file) {
		// its sidecar file says which app this is
		requireTrust();
	}
	const title = vscode.l10n.t('Publishing {0} in Dify', quoted(of.app.name));
	const link = file?.link ?? (await linkWithout(management, of));
	// anew each time: a push on the way may write what the deployment made of the file
	const asked = async () => {
		const text = file && (await textOfFile(file.uri));
		return { management, link, ...(text !== undefined && { text }), t: vscode.l10n.t };
	};
	const planned = async () => {
		const request = await asked();
		return working(title, signal => planPublish({ ...request, signal }));
	};
	let plan: PublishPlan = await planned();
	let given = { name: '', comment: '' };
	let news = '';
	for (;;) {
		const way = file && plan.fileDifference && !plan.fileDifference.isSame ? await draftOrFile(of, file, plan) : 'publish';
		if (way === 'push' && file) {
			if ((await pushOne(parts, { file }))?.kind !== 'done') {
				return;
			}
			plan = await planned();
			continue;
		}
		const version = way === 'publish' ? await askVersion(of, given) : undefined;
		if (!version || !(await mayPublish(of, plan, version, news))) {
			return;
		}
		given = version;
		const agreed = plan;
		const order = { ...(await asked()), ...version };
		const outcome = await working(title, signal => carryOutPublish(agreed, { ...order, signal }));
		switch (outcome.kind) {
			case 'changed-meanwhile':
				({ plan, message: news } = outcome);
				continue;
			case 'done':
				parts.deployments.reload(of.connectionId);
				tell(
					[
						vscode.l10n.t('Published {0}: its users have it from now on.', quoted(of.app.name)),
						...(outcome.replyLost ? [vscode.l10n.t('The reply was lost, but Dify has it.')] : []),
						...(outcome.warning === undefined ? [] : [outcome.warning]),
					].join(' '),
					[],
					outcome.warning === undefined ? 'info' : 'warning',
				);
				return;
			case 'failed':
				throw new Problem('refused', vscode.l10n.t('Dify did not publish {0}: {1}', quoted(of.app.name), oneLine(outcome.message, 300)));
			case 'not-arrived':
			case 'unknown':
				tell(
					outcome.message,
					[{ title: vscode.l10n.t('Open in Dify'), command: 'agentWorkbench.difyApp.open', arguments: [of] }],
					'warning',
				);
				return;
		}
	}
}

/** The draft is not what the file says: which of both is to be published. */
async function draftOrFile(
	of: AppOfDeployment,
	file: LinkedFile,
	{ fileDifference }: PublishPlan,
): Promise<'push' | 'publish' | undefined> {
	const name = vscode.workspace.asRelativePath(file.uri);
	const difference = fileDifference ? differenceText(fileDifference) : '';
	const placeHolder = vscode.l10n.t('The draft in Dify is not what {0} says: {1}', name, difference);
	return chooseWay(vscode.l10n.t('Publish {0} in Dify', quoted(of.app.name)), placeHolder, [
		{
			way: 'push',
			icon: 'cloud-upload',
			label: vscode.l10n.t('Push the File First…'),
			detail: vscode.l10n.t('Then its draft is published'),
		},
		{
			way: 'publish',
			icon: 'rocket',
			label: vscode.l10n.t('Publish the Draft as It Is…'),
			detail: vscode.l10n.t('The file stays as it is, and is not published'),
		},
	]);
}

/** Asks how the version is called; both may be empty. */
async function askVersion(of: AppOfDeployment, given: { readonly name: string; readonly comment: string }) {
	const title = vscode.l10n.t('Publish {0} in Dify', quoted(of.app.name));
	const ask = (prompt: string, value: string, most: number, step: string) =>
		vscode.window.showInputBox({
			title: `${title} (${step})`,
			prompt,
			value,
			ignoreFocusOut: true,
			validateInput: text =>
				[...text].length > most ? vscode.l10n.t('{0} characters: Dify takes {1}.', [...text].length, most) : undefined,
		});
	const name = await ask(vscode.l10n.t('Name of the version; may be empty'), given.name, versionLimits.name, '1/2');
	const comment =
		name === undefined
			? undefined
			: await ask(vscode.l10n.t('What is new in it; may be empty'), given.comment, versionLimits.comment, '2/2');
	return name === undefined || comment === undefined ? undefined : { name: name.trim(), comment: comment.trim() };
}

function mayPublish(
	{ app }: AppOfDeployment,
	{ draft, published, difference, warnings }: PublishPlan,
	given: { readonly name: string; readonly comment: string },
	news: string,
): Promise<boolean> {
	const lines = [
		news,
		publishedText(published),
		...(difference ? [vscode.l10n.t('What changes for its users: {0}', differenceText(difference)), ...differenceDetail(difference)] : []),
		...warnings,
		given.name === '' && given.comment === ''
			? ''
			: vscode.l10n.t('New version: {0}', [given.name, given.comment].filter(text => text !== '').join(' – ')),
	].filter(line => line !== '');
	// by its name there: which app a file is of is said by a file of the workspace, which may be anybody's
	const name = nameOf(readApp(draft.text)) || app.name;
	return confirmed(vscode.l10n.t('Publish the draft of {0} in Dify?', quoted(name)), lines, vscode.l10n.t('Publish'));
}

function publishedText(published: AppVersion | 'none' | 'unknown'): string {
	if (published === 'none') {
		return vscode.l10n.t('Nothing of it is published yet.');
	}
	if (published === 'unknown') {
		return vscode.l10n.t('This deployment does not say what is published now.');
	}
	return vscode.l10n.t('Published now: {0}', versionText(published));
}

/** What a version is called. */
export function versionName({ name, id }: Pick<AppVersion, 'name' | 'id'>): string {
	return name === '' ? vscode.l10n.t('version {0}', id.slice(0, 8)) : quoted(name);
}

/** A version in a few words: its name, who made it, when. */
export function versionText({ name, by, createdAt, id }: AppVersion): string {
	return [versionName({ name, id }), by ?? '', createdAt === undefined ? '' : agoText(createdAt * 1000)]
		.filter(text => text !== '')
		.join(' · ');
}

/** The app as it is named where no file is of it: nothing is compared then. */
async function linkWithout(management: DifyManagement, { app }: AppOfDeployment): Promise<DifyLink> {
	const workspace_id = await workspaceOf(management, { t: vscode.l10n.t });
	const base = { content_hash: '', dsl_version: '' };
	return { origin: management.deployment.origin, workspace_id, app_id: app.id, mode: app.mode, base };
}
