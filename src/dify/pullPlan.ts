import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { type AppContent, readApp } from './content/appContent.ts';
import { compareApps } from './content/appDifference.ts';
import { hashLayout } from './content/contentHash.ts';
import { createPulledText } from './files/pulledText.ts';
import { createLink, getAppMode, getAppName } from './linkMade.ts';
import { getLinkState } from './linkState.ts';
import type { DifyLink, LinkState } from './linkTypes.ts';
import { getWorkspaceId } from './matchingDeployment.ts';
import { SyncFault } from './syncFault.ts';
import type { PullKind, PullPlan, PullRequest } from './syncTypes.ts';

/**
 * Plans pulling an app: exports it and compares it with the file. Changes nothing. To carry out the plan, write its text and link with
 * `writeAppFile`, or in the editor that has the file open.
 * @throws {SyncFault} if the export isn't an app
 * @throws {ServiceError} if Dify can't be reached
 */
export async function planPull(request: PullRequest): Promise<PullPlan> {
	const { management, appId, versionId, here, signal, t = fillPlaceholders } = request;
	const workspaceId = await getWorkspaceId(management, request);
	const { origin } = management.deployment;
	const there = await management.exportApp(appId, versionId === undefined ? {} : { versionId }, { signal });
	const content = readApp(there.text, t('The export from {0}', origin), t);
	const link = createLink({ origin, workspace_id: workspaceId, app_id: appId }, there, content, versionId);
	const own = here && readOwnApp(here.text);
	const kind = here ? getPullKind(here.link, own, content, link) : 'new';
	const isMoved = own !== undefined && hasLocalMoves(here?.link, kind, own, content);
	return {
		kind,
		losesHere: kind === 'keeps-here' || kind === 'conflict' || kind === 'unlinked' || kind === 'other-app' || isMoved,
		app: { id: appId, name: getAppName(content), mode: getAppMode(content) },
		there,
		here: here?.text,
		difference: own && compareApps(own, content),
		text: kind === 'same' ? undefined : here ? createPulledText(here.text, there.text) : there.text,
		link,
	};
}

const kindOfState: Readonly<Record<LinkState, PullKind>> = {
	same: 'same',
	layout: 'layout',
	'changed-there': 'update',
	'changed-here': 'keeps-here',
	'changed-both': 'conflict',
};

function getPullKind(link: DifyLink | undefined, here: AppContent | undefined, there: AppContent, found: DifyLink): PullKind {
	if (link && (link.origin !== found.origin || link.workspace_id !== found.workspace_id || link.app_id !== found.app_id)) {
		return 'other-app';
	}
	if (!here) {
		// the file isn't an app, but it's still the user's work
		return link ? 'conflict' : 'unlinked';
	}
	const state = getLinkState(link?.base.content_hash ?? '', here, there);
	if (state === 'layout' && link?.base.layout_hash === hashLayout(there)) {
		// nodes were only moved in the file, so Dify has nothing newer
		return 'same';
	}
	return link || state === 'same' || state === 'layout' ? kindOfState[state] : 'unlinked';
}

/** True if a pull would undo moves of nodes in the file, or might. */
function hasLocalMoves(link: DifyLink | undefined, kind: PullKind, here: AppContent, there: AppContent): boolean {
	const base = link?.base.layout_hash;
	const [own, others] = [hashLayout(here), hashLayout(there)];
	return own !== others && own !== base && (kind === 'layout' || (kind === 'update' && base !== undefined));
}

/** Returns the content of the user's file, or `undefined` if it isn't an app. */
function readOwnApp(text: string): AppContent | undefined {
	try {
		return readApp(text);
	} catch (error) {
		if (error instanceof SyncFault) {
			return undefined;
		}
		throw error;
	}
}
