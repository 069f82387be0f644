import { plainWords } from '#base/text/plainWords.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import type { DifyLink } from './linkTypes.ts';
import { SyncFault } from './syncFault.ts';
import type { SyncOptions } from './syncTypes.ts';

/** ID of the workspace that is asked; the console's is the account's own current one. */
export async function workspaceOf(management: DifyManagement, { signal, t = plainWords }: SyncOptions): Promise<string> {
	const id = management.workspaceId ?? (await management.workspaces({ signal })).find(({ current }) => current)?.id;
	if (id === undefined) {
		throw new SyncFault(
			'elsewhere',
			t("{0} doesn't report which workspace this account uses. Choose a workspace.", management.deployment.origin),
		);
	}
	return id;
}

/**
 * A sidecar file is content of a workspace: only the deployment and the workspace that it names may be asked for its app.
 * @throws {SyncFault} where another one is signed in to
 */
export async function requireMatch(management: DifyManagement, link: DifyLink, options: SyncOptions): Promise<void> {
	const { t = plainWords } = options;
	const { origin } = management.deployment;
	if (link.origin !== origin) {
		throw new SyncFault('elsewhere', t('The file belongs to an app at {0}, but this connection is to {1}.', link.origin, origin));
	}
	if (link.workspace_id !== (await workspaceOf(management, options))) {
		throw new SyncFault(
			'elsewhere',
			t('The file belongs to an app in another workspace at {0}. Switch to workspace {1}.', origin, link.workspace_id),
		);
	}
}
