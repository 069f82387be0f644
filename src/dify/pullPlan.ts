import { plainWords } from '#base/text/plainWords.ts';
import { type AppContent, readApp } from './content/appContent.ts';
import { appDifference } from './content/appDifference.ts';
import { layoutHash } from './content/contentHash.ts';
import { pulledText } from './files/pulledText.ts';
import { linkTo, modeOf, nameOf } from './linkMade.ts';
import { linkState } from './linkState.ts';
import type { DifyLink, LinkState } from './linkTypes.ts';
import { workspaceOf } from './matchingDeployment.ts';
import { SyncFault } from './syncFault.ts';
import type { PullKind, PullPlan, PullRequest } from './syncTypes.ts';

/**
 * Plans pulling an app: exports it and compares it with the file. Changes nothing. The plan's text and link are written by `writeAppFile`,
 * or by an editor with the file open.
 * @throws {SyncFault} if the export isn't an app
 * @throws {ServiceError} if Dify can't be reached
 */
export async function planPull(request: PullRequest): Promise<PullPlan> {
	const { management, appId, versionId, here, signal, t = plainWords } = request;
	const workspaceId = await workspaceOf(management, request);
	const { origin } = management.deployment;
	const there = await management.exportApp(appId, versionId === undefined ? {} : { versionId }, { signal });
	const content = readApp(there.text, t('The export from {0}', origin), t);
	const link = linkTo({ origin, workspace_id: workspaceId, app_id: appId }, there, content, versionId);
	const own = here && readOwn(here.text);
	const kind = here ? kindOf(here.link, own, content, link) : 'new';
	const isMoved = own !== undefined && isMovedHere(here?.link, kind, own, content);
	return {
		kind,
		losesHere: kind === 'keeps-here' || kind === 'conflict' || kind === 'unlinked' || kind === 'other-app' || isMoved,
		app: { id: appId, name: nameOf(content), mode: modeOf(content) },
		there,
		here: here?.text,
		difference: own && appDifference(own, content),
		text: kind === 'same' ? undefined : here ? pulledText(here.text, there.text) : there.text,
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

function kindOf(link: DifyLink | undefined, here: AppContent | undefined, there: AppContent, found: DifyLink): PullKind {
	if (link && (link.origin !== found.origin || link.workspace_id !== found.workspace_id || link.app_id !== found.app_id)) {
		return 'other-app';
	}
	if (!here) {
		// not an app, but still the user's file
		return link ? 'conflict' : 'unlinked';
	}
	const state = linkState(link?.base.content_hash ?? '', here, there);
	if (state === 'layout' && link?.base.layout_hash === layoutHash(there)) {
		// nodes were only moved in the file, so Dify has nothing newer
		return 'same';
	}
	return link || state === 'same' || state === 'layout' ? kindOfState[state] : 'unlinked';
}

/** True if nodes were moved in the file, or may have been, and a pull would undo it. */
function isMovedHere(link: DifyLink | undefined, kind: PullKind, here: AppContent, there: AppContent): boolean {
	const base = link?.base.layout_hash;
	const [own, others] = [layoutHash(here), layoutHash(there)];
	return own !== others && own !== base && (kind === 'layout' || (kind === 'update' && base !== undefined));
}

/** `undefined` if the file isn't an app. */
function readOwn(text: string): AppContent | undefined {
	try {
		return readApp(text);
	} catch (error) {
		if (error instanceof SyncFault) {
			return undefined;
		}
		throw error;
	}
}
