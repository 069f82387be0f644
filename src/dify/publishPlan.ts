import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { AppVersion, DifyManagement } from '#client/dify/management.ts';
import { type AppContent, readApp } from './content/appContent.ts';
import { compareApps } from './content/appDifference.ts';
import { hashContent } from './content/contentHash.ts';
import { formatDifferenceSummary } from './content/formatDifference.ts';
import { isImportRefusal, isUncertainFailure } from './importOutcome.ts';
import { getLinkState } from './linkState.ts';
import type { DifyLink } from './linkTypes.ts';
import { requireMatchingLink } from './matchingDeployment.ts';
import { SyncFault } from './syncFault.ts';
import type { PublishOutcome, PublishPlan, SyncOptions } from './syncTypes.ts';

/** Length limits of a version's name and comment, in characters. */
export const versionLimits = { name: 20, comment: 100 } as const;

interface PublishRequest extends SyncOptions {
	readonly management: DifyManagement;
	readonly link: DifyLink;
	/** Text of the file, to compare with the draft. */
	readonly text?: string;
}

/**
 * Plans publishing an app: compares its draft with the file and with the published version. Changes nothing.
 * @throws {SyncFault} if the link names another server or workspace
 */
export async function planPublish(request: PublishRequest): Promise<PublishPlan> {
	const { management, link, text, signal, t = fillPlaceholders } = request;
	await requireMatchingLink(management, link, request);
	const draft = await management.exportApp(link.app_id, {}, { signal });
	const content = readApp(draft.text, t('The export from {0}', link.origin), t);
	const here = text === undefined ? undefined : readApp(text, undefined, t);
	const published = management.offers.has('published') ? ((await management.published(link.app_id, { signal })) ?? 'none') : 'unknown';
	const live = typeof published === 'string' ? undefined : await readVersion(request, published);
	const fileDifference = here && compareApps(content, here);
	const difference = live && compareApps(live, content);
	const warnings = [
		...(fileDifference && !fileDifference.isSame
			? [
					t(
						"The draft in Dify doesn't match the file ({0}). The draft will be published. To publish the file, push it first.",
						formatDifferenceSummary(fileDifference, t),
					),
				]
			: []),
		...(difference?.isSame ? [t('The published version already matches the draft.')] : []),
	];
	return {
		link,
		draft,
		state: here && getLinkState(link.base.content_hash, here, content),
		fileDifference,
		published,
		difference,
		warnings,
	};
}

/**
 * Publishes the draft of a plan, unless the draft has changed in the meantime. The request is sent only once: if its response is lost, the
 * published version shows whether it worked.
 * @throws {SyncFault} `invalid` if name or comment is too long
 * @throws {ServiceError} if Dify refuses the account, can't publish, or can't be reached
 */
export async function carryOutPublish(
	plan: PublishPlan,
	order: SyncOptions & { readonly management: DifyManagement; readonly name: string; readonly comment: string; readonly text?: string },
): Promise<PublishOutcome> {
	const { management, name, comment, signal, t = fillPlaceholders } = order;
	requireMaxLength(name, versionLimits.name, (length, most) =>
		t('The version name has {0} characters. Dify allows at most {1}.', length, most),
	);
	requireMaxLength(comment, versionLimits.comment, (length, most) =>
		t('The version comment has {0} characters. Dify allows at most {1}.', length, most),
	);
	const { link } = plan;
	const now = await management.exportApp(link.app_id, {}, { signal });
	if (hashContent(now.text, t) !== hashContent(plan.draft.text, t)) {
		return {
			kind: 'changed-meanwhile',
			message: t('The draft has changed in the meantime. Nothing was published.'),
			plan: await planPublish({ ...order, link }),
		};
	}
	signal?.throwIfAborted();
	try {
		// ignore cancellation from here on: otherwise the published version could be checked before Dify has finished
		const { warning } = await management.publish(link.app_id, { name, comment });
		return { kind: 'done', version: await getPublishedVersion(management, link).catch(() => undefined), warning, replyLost: false };
	} catch (error) {
		if (isImportRefusal(error)) {
			return { kind: 'failed', message: (error as Error).message };
		}
		if (!isUncertainFailure(error)) {
			throw error;
		}
		return recoverLostPublish(plan, management, error as Error, t);
	}
}

async function recoverLostPublish(
	{ published, link }: PublishPlan,
	management: DifyManagement,
	{ message: cause }: Error,
	t: NonNullable<SyncOptions['t']>,
): Promise<PublishOutcome> {
	const unknown = {
		kind: 'unknown',
		message: t('The response was lost ({0}). Check the published version in Dify before you publish again.', cause),
	} as const;
	if (published === 'unknown') {
		return unknown;
	}
	try {
		const version = await getPublishedVersion(management, link);
		if (version?.id === (published === 'none' ? undefined : published.id)) {
			return { kind: 'not-arrived', message: t("The response was lost ({0}). The published version hasn't changed.", cause) };
		}
		return { kind: 'done', version, warning: undefined, replyLost: true };
	} catch {
		return unknown;
	}
}

async function getPublishedVersion(management: DifyManagement, { app_id }: DifyLink): Promise<AppVersion | undefined> {
	return management.offers.has('published') ? management.published(app_id) : undefined;
}

/** Returns the content of a version, or `undefined` if Dify doesn't provide it. */
async function readVersion({ management, link, signal }: PublishRequest, { id }: AppVersion): Promise<AppContent | undefined> {
	try {
		return readApp((await management.exportApp(link.app_id, { versionId: id }, { signal })).text);
	} catch {
		signal?.throwIfAborted();
		return undefined;
	}
}

function requireMaxLength(text: string, most: number, toMessage: (length: number, most: number) => string): void {
	const { length } = [...text];
	if (length > most) {
		throw new SyncFault('invalid', toMessage(length, most));
	}
}
