import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import type { DifyLink } from './linkTypes.ts';
import { SyncFault } from './syncFault.ts';
import type { SyncOptions } from './syncTypes.ts';

/** Returns the ID of the workspace in use; for the console, the account's current one. */
export async function getWorkspaceId(management: DifyManagement, { signal, t = fillPlaceholders }: SyncOptions): Promise<string> {
	const id = management.workspaceId ?? (await management.workspaces({ signal })).find(({ current }) => current)?.id;
	if (id === undefined) {
		throw new SyncFault(
			'elsewhere',
			t("{0} doesn't report which workspace this account uses. Select a workspace.", management.deployment.origin),
		);
	}
	return id;
}

/**
 * Checks that a sidecar names the server and workspace in use. Sidecars are part of the workspace, so they aren't trusted to choose others.
 * @throws {SyncFault} if it names others
 */
export async function requireMatchingLink(management: DifyManagement, link: DifyLink, options: SyncOptions): Promise<void> {
	const { t = fillPlaceholders } = options;
	const { origin } = management.deployment;
	if (link.origin !== origin) {
		throw new SyncFault('elsewhere', t('The file belongs to an app at {0}, but this connection is to {1}.', link.origin, origin));
	}
	if (link.workspace_id !== (await getWorkspaceId(management, options))) {
		throw new SyncFault(
			'elsewhere',
			t('The file belongs to an app in another workspace at {0}. Switch to workspace {1}.', origin, link.workspace_id),
		);
	}
}
