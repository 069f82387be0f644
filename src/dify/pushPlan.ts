import type { Translate } from '#base/text/localization.ts';
import { plainWords } from '#base/text/plainWords.ts';
import type { DifyManagement, ExportedApp } from '#client/dify/management.ts';
import { type AppContent, readApp } from './content/appContent.ts';
import { appDifference } from './content/appDifference.ts';
import { importEffects } from './importEffects.ts';
import { modeOf } from './linkMade.ts';
import { linkState } from './linkState.ts';
import { requireMatch } from './matchingDeployment.ts';
import { sentText } from './sentText.ts';
import { SyncFault } from './syncFault.ts';
import type { PushPlan, PushRequest, SyncOptions } from './syncTypes.ts';

/**
 * What pushing a file would do: the app there is exported and compared with the file and with the base of its link. Changes nothing.
 * @throws {SyncFault} where the file is no app's, is of a mode that Dify does not overwrite, or is of another deployment or workspace
 * @throws {ServiceError} where the deployment cannot be asked
 */
export async function planPush(request: PushRequest): Promise<PushPlan> {
	const { management, link, text, t = plainWords } = request;
	requireOverwritable(readApp(text, undefined, t), t);
	await requireMatch(management, link, request);
	const there = await management.exportApp(link.app_id, {}, { signal: request.signal });
	return planAgainst(request, there);
}

/** How a file stands to its app, and what a push would do besides: without a plan to push it, so any mode may be looked at. Changes nothing. */
export async function planDiff(request: PushRequest): Promise<Pick<PushPlan, 'state' | 'difference' | 'there' | 'effects'>> {
	const { management, link, text, signal, t = plainWords } = request;
	const here = readApp(text, undefined, t);
	await requireMatch(management, link, request);
	const there = await management.exportApp(link.app_id, {}, { signal });
	return { there, ...comparedWith(request, here, readApp(there.text, t('The export from {0}', link.origin), t)) };
}

function comparedWith({ management, link, text, t = plainWords }: PushRequest, here: AppContent, there: AppContent) {
	const sent = sentText(text, here, there, keepsEmptySecrets(management), t);
	return {
		state: linkState(link.base.content_hash, here, there),
		difference: appDifference(there, here),
		effects: importEffects(here, there, sent.secrets, management.deployment.version, t),
		text: sent.text,
	};
}

/** The plan against an export that is there already. */
export async function planAgainst(request: PushRequest, there: ExportedApp): Promise<PushPlan> {
	const { management, link, text, t = plainWords } = request;
	const here = readApp(text, undefined, t);
	const thereRead = readApp(there.text, t('The export from {0}', link.origin), t);
	if (modeOf(here) !== modeOf(thereRead)) {
		throw new SyncFault(
			'mode',
			t("The file is an app of mode '{0}', but the app in Dify has mode '{1}'. Push it as a new app.", modeOf(here), modeOf(thereRead)),
		);
	}
	const compared = comparedWith(request, here, thereRead);
	return { link, here: text, there, ...compared, faults: await faultsOf(management, compared.text, link.app_id, request) };
}

/** Faults of a text that the deployment names itself, where it can be asked. */
export async function faultsOf(
	management: DifyManagement,
	text: string,
	appId: string | undefined,
	{ signal }: SyncOptions,
): Promise<PushPlan['faults']> {
	return management.offers.has('checkText') ? management.checkText(text, appId, { signal }) : [];
}

/** Whether an empty secret leaves the value that is there: not up to 1.17, where it wipes it. */
function keepsEmptySecrets({ deployment }: DifyManagement): boolean {
	return deployment.generation === 'openapi-1.18';
}

function requireOverwritable(here: AppContent, t: Translate): void {
	const mode = modeOf(here);
	if (mode !== 'workflow' && mode !== 'advanced-chat') {
		throw new SyncFault(
			'mode',
			t("Dify can only overwrite workflows and chatflows, but this app has mode '{0}'. Push it as a new app.", mode),
		);
	}
}
