import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { AppImport, DifyManagement } from '#client/dify/management.ts';
import { readApp } from './content/appContent.ts';
import { isExportOf } from './content/exportedAs.ts';
import { type ImportEffect, listImportEffects } from './importEffects.ts';
import {
	createArrivedOutcome,
	createFailedOutcome,
	formatImportWarning,
	isImportRefusal,
	isUncertainFailure,
	renameApp,
} from './importOutcome.ts';
import { getAppName } from './linkMade.ts';
import { getWorkspaceId } from './matchingDeployment.ts';
import { checkText } from './pushPlan.ts';
import { createSentText } from './sentText.ts';
import type { PushOutcome, PushPlan, SyncOptions } from './syncTypes.ts';

/** Plan for creating a new app from a file. Nothing was created yet. */
interface NewAppPlan {
	readonly name: string;
	/** Text of the file, and the text to send. */
	readonly here: string;
	readonly text: string;
	readonly effects: readonly ImportEffect[];
	readonly faults: PushPlan['faults'];
}

/**
 * Plans pushing a file as a new app. Apps can have any mode.
 * @throws {SyncFault} if the file isn't an app
 */
export async function planNewApp(
	request: SyncOptions & { readonly management: DifyManagement; readonly text: string; readonly name?: string },
): Promise<NewAppPlan> {
	const { management, text, t = fillPlaceholders } = request;
	const here = readApp(text, undefined, t);
	const sent = createSentText(text, here, undefined, true, t);
	return {
		name: request.name || getAppName(here),
		here: text,
		text: sent.text,
		effects: listImportEffects(here, undefined, sent.secrets, management.deployment.version, t),
		faults: await checkText(management, sent.text, undefined, request),
	};
}

/**
 * Creates the new app. Overwrites nothing. If the response is lost, searches for a new app with that name.
 * @throws {ServiceError} if Dify refuses the account or can't be reached, before anything was created
 */
export async function carryOutNewApp(
	{ name, here, text }: NewAppPlan,
	order: SyncOptions & { readonly management: DifyManagement },
): Promise<PushOutcome> {
	const { management, signal, t = fillPlaceholders } = order;
	const workspace = await getWorkspaceId(management, order);
	const before = await findAppsByName(management, name, order);
	const completeImport = (appId: string, warning: string | undefined, replyLost: boolean) =>
		createArrivedOutcome(
			management,
			{
				link: { origin: management.deployment.origin, workspace_id: workspace, app_id: appId },
				here,
				sent: text,
				name,
				backup: undefined,
				warning,
				replyLost,
			},
			{ t },
		);
	const runImport = async (send: () => Promise<AppImport>, ending: AbortSignal | undefined): Promise<PushOutcome> => {
		ending?.throwIfAborted();
		let answer: AppImport;
		try {
			// ignore cancellation from here on: otherwise the app's state could be checked before Dify has finished the import
			answer = await send();
		} catch (error) {
			if (isImportRefusal(error)) {
				return createRefusedOutcome({ error: (error as Error).message, details: [] });
			}
			if (!isUncertainFailure(error)) {
				throw error;
			}
			return findCreatedApp(error as Error);
		}
		if (answer.status === 'pending') {
			return {
				kind: 'pending',
				currentVersion: answer.currentVersion,
				importedVersion: answer.importedVersion,
				backup: undefined,
				confirm: async (given = {}) => runImport(() => management.confirmImport(answer.id), given.signal),
			};
		}
		if (answer.status === 'failed') {
			return createRefusedOutcome(answer);
		}
		if (answer.appId !== undefined) {
			return completeImport(answer.appId, formatImportWarning(answer, t), false);
		}
		return {
			kind: 'unknown',
			message: t("Dify created an app but didn't report its ID. Look for '{0}'.", name),
			there: undefined,
			backup: undefined,
		};
	};
	/** Creates the outcome of a rejected import. Up to 1.14, the console leaves an incomplete app behind if an import fails halfway. */
	const createRefusedOutcome = async (answer: Pick<AppImport, 'error' | 'details'>): Promise<PushOutcome> => {
		const outcome = createFailedOutcome(answer, t);
		const now = await findAppsByName(management, name, {}).catch(() => undefined);
		if (now && [...now].every(id => before.has(id))) {
			return outcome;
		}
		const left = now
			? t("An incomplete app '{0}' was created despite the error. Delete it in Dify.", name)
			: t("Couldn't check whether the app '{0}' was created despite the error. Check in Dify.", name);
		return { ...outcome, left };
	};
	const findCreatedApp = async (cause: Error): Promise<PushOutcome> => {
		const createUnknownOutcome = (message: string): PushOutcome => ({ kind: 'unknown', message, there: undefined, backup: undefined });
		try {
			const made = [...(await findAppsByName(management, name, {}))].filter(id => !before.has(id));
			const [id] = made;
			if (id === undefined) {
				return {
					kind: 'not-arrived',
					message: t("The response was lost ({0}). No new app '{1}' was created.", cause.message, name),
					backup: undefined,
				};
			}
			const { text: exported } = await management.exportApp(id);
			const sent = readApp(text, undefined, t);
			if (made.length === 1 && isExportOf(renameApp(sent, name), readApp(exported, undefined, t))) {
				return completeImport(id, undefined, true);
			}
		} catch {
			// reported below
		}
		return createUnknownOutcome(
			t("The response was lost ({0}). Check in Dify whether the app '{1}' was created before you push again.", cause.message, name),
		);
	};
	return runImport(() => management.importApp({ text, name }), signal);
}

async function findAppsByName(management: DifyManagement, name: string, { signal }: SyncOptions): Promise<ReadonlySet<string>> {
	const { iterateApps } = await import('#client/dify/managedLists.ts');
	const ids = new Set<string>();
	for await (const app of iterateApps(management, { name }, { signal })) {
		if (app.name === name) {
			ids.add(app.id);
		}
	}
	return ids;
}
