import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import type { DifyManagement, ExportedApp } from '#client/dify/management.ts';
import { type AppContent, readApp } from './content/appContent.ts';
import { compareApps } from './content/appDifference.ts';
import { listImportEffects } from './importEffects.ts';
import { getAppMode } from './linkMade.ts';
import { getLinkState } from './linkState.ts';
import { requireMatchingLink } from './matchingDeployment.ts';
import { createSentText } from './sentText.ts';
import { SyncFault } from './syncFault.ts';
import type { PushPlan, PushRequest, SyncOptions } from './syncTypes.ts';

/**
 * Plans pushing a file: exports the app and compares it with the file and with the base of its link. Changes nothing.
 * @throws {SyncFault} if the file isn't an app, has a mode that Dify can't overwrite, or belongs to another server or workspace
 * @throws {ServiceError} if Dify can't be reached
 */
export async function planPush(request: PushRequest): Promise<PushPlan> {
	const { management, link, text, t = fillPlaceholders } = request;
	requireOverwritableMode(readApp(text, undefined, t), t);
	await requireMatchingLink(management, link, request);
	const there = await management.exportApp(link.app_id, {}, { signal: request.signal });
	return planPushToExport(request, there);
}

/** Compares a file of any mode with its app, and lists the other effects that a push would have. Changes nothing. */
export async function planDiff(request: PushRequest): Promise<Pick<PushPlan, 'state' | 'difference' | 'there' | 'effects'>> {
	const { management, link, text, signal, t = fillPlaceholders } = request;
	const here = readApp(text, undefined, t);
	await requireMatchingLink(management, link, request);
	const there = await management.exportApp(link.app_id, {}, { signal });
	return { there, ...compareWithApp(request, here, readApp(there.text, t('The export from {0}', link.origin), t)) };
}

function compareWithApp({ management, link, text, t = fillPlaceholders }: PushRequest, here: AppContent, there: AppContent) {
	const sent = createSentText(text, here, there, canKeepEmptySecrets(management), t);
	return {
		state: getLinkState(link.base.content_hash, here, there),
		difference: compareApps(there, here),
		effects: listImportEffects(here, there, sent.secrets, management.deployment.version, t),
		text: sent.text,
	};
}

/** Plans a push against an export that the caller already has. */
export async function planPushToExport(request: PushRequest, there: ExportedApp): Promise<PushPlan> {
	const { management, link, text, t = fillPlaceholders } = request;
	const here = readApp(text, undefined, t);
	const thereRead = readApp(there.text, t('The export from {0}', link.origin), t);
	if (getAppMode(here) !== getAppMode(thereRead)) {
		throw new SyncFault(
			'mode',
			t(
				"The app in the file has mode '{0}', but the app in Dify has mode '{1}'. Push it as a new app.",
				getAppMode(here),
				getAppMode(thereRead),
			),
		);
	}
	const compared = compareWithApp(request, here, thereRead);
	return { link, here: text, there, ...compared, faults: await checkText(management, compared.text, link.app_id, request) };
}

/** Returns the problems that Dify itself finds in a text; none if its release can't check texts. */
export async function checkText(
	management: DifyManagement,
	text: string,
	appId: string | undefined,
	{ signal }: SyncOptions,
): Promise<PushPlan['faults']> {
	return management.offers.has('checkText') ? management.checkText(text, appId, { signal }) : [];
}

/** True if Dify keeps its value of a secret that is imported empty. Up to 1.17, it deletes the value. */
function canKeepEmptySecrets({ deployment }: DifyManagement): boolean {
	return deployment.generation === 'openapi-1.18';
}

function requireOverwritableMode(here: AppContent, t: Translate): void {
	const mode = getAppMode(here);
	if (mode !== 'workflow' && mode !== 'advanced-chat') {
		throw new SyncFault(
			'mode',
			t("Dify can only overwrite workflows and chatflows, but this app has mode '{0}'. Push it as a new app.", mode),
		);
	}
}
