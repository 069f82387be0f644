import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import type { AppImport, DifyManagement, ExportedApp, LeakedDependency } from '#client/dify/management.ts';
import { type AppContent, readApp } from './content/appContent.ts';
import { hashContent } from './content/contentHash.ts';
import { isExportOf } from './content/exportedAs.ts';
import { createPulledText } from './files/pulledText.ts';
import { createLink } from './linkMade.ts';
import type { DifyLink } from './linkTypes.ts';
import type { Backup, PushOutcome, SyncOptions } from './syncTypes.ts';

/** True if it's unknown whether a failed request took effect. */
export function isUncertainFailure(error: unknown): boolean {
	return ['network', 'timeout', 'aborted', 'server', 'overloaded', 'protocol'].includes(getServiceReason(error) ?? '');
}

/** True if Dify rejected the request as invalid. */
export function isImportRefusal(error: unknown): boolean {
	return getServiceReason(error) === 'invalid-request';
}

/** Reason of a `ServiceError`, identified by name because it comes from another bundle; the editor may wrap it in a `Problem`. */
function getServiceReason(error: unknown): string | undefined {
	const { name, cause, reason } = error as { name?: string; cause?: unknown; reason?: string };
	return name === 'Problem' && cause instanceof Error ? getServiceReason(cause) : name === 'ServiceError' ? reason : undefined;
}

/** Outcome of a rejected import that changed nothing. */
export function createFailedOutcome(
	{ error, details }: Pick<AppImport, 'error' | 'details'>,
	t: Translate,
): Extract<PushOutcome, { kind: 'failed' }> {
	return {
		kind: 'failed',
		message: error || t('Dify rejected the file without giving a reason.'),
		details,
		left: undefined,
		backup: undefined,
	};
}

/** Returns the warnings of a successful import; `undefined` if there are none. */
export function formatImportWarning(
	{ status, error, currentVersion, importedVersion, warnings }: AppImport,
	t: Translate,
): string | undefined {
	const older = t(
		'The file uses format version {0}, but Dify uses {1}. Check the app in Dify.',
		importedVersion ?? '?',
		currentVersion ?? '?',
	);
	return [...(status === 'completed-with-warnings' ? [error || older] : []), ...warnings].join(' ') || undefined;
}

/** A successful import. */
interface Arrived {
	readonly link: Pick<DifyLink, 'origin' | 'workspace_id' | 'app_id'>;
	/** Text of the file, and the text that was sent. */
	readonly here: string;
	readonly sent: string;
	/** Name given to a new app instead of the file's. */
	readonly name?: string;
	readonly backup: Backup | undefined;
	readonly warning: string | undefined;
	readonly replyLost: boolean;
}

/**
 * Completes a successful import: finds missing plugins and the app's new state. If someone else has changed the app since the import, the
 * sent text becomes the base. The next comparison then reports `changed-there`, so their work isn't overwritten unseen.
 */
export async function createArrivedOutcome(
	management: DifyManagement,
	{ link, here, sent, name, backup, warning, replyLost }: Arrived,
	{ t = fillPlaceholders }: SyncOptions,
): Promise<PushOutcome> {
	const missing = await findMissingPlugins(management, link.app_id);
	let there: ExportedApp;
	try {
		there = await management.exportApp(link.app_id);
	} catch (error) {
		const message = t(
			"The import worked, but the app's current state couldn't be checked ({0}). Compare the file with Dify before you push again.",
			(error as Error).message,
		);
		return { kind: 'unknown', message, there: undefined, backup };
	}
	const now = readApp(there.text, t('The export from {0}', link.origin), t);
	const wasSent = renameApp(readApp(sent, undefined, t), name);
	const done = { kind: 'done', there, backup, missing, replyLost } as const;
	if (!isExportOf(wasSent, now)) {
		const later = t('The app in Dify changed right after the import. Compare it with the file.');
		return {
			...done,
			link: createLink(link, { text: sent, draftHash: undefined }, wasSent),
			file: undefined,
			warning: [warning, later].filter(Boolean).join(' '),
		};
	}
	return {
		...done,
		link: createLink(link, there, now),
		file: hashContent(now) === hashContent(here, t) ? undefined : createPulledText(here, there.text),
		warning: warning || undefined,
	};
}

async function findMissingPlugins(management: DifyManagement, appId: string): Promise<readonly LeakedDependency[]> {
	try {
		return management.offers.has('dependencies') ? await management.dependencies(appId) : [];
	} catch {
		// the import worked, so ignore this failure
		return [];
	}
}

/** Returns a file's content with another app name. */
export function renameApp(app: AppContent, name: string | undefined): AppContent {
	return name === undefined ? app : { ...app, rest: { ...app.rest, app: { ...(app.rest.app as object), name } } };
}
