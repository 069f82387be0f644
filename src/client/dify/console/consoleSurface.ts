import { localizable } from '#base/text/localizableMessage.ts';
import { isAtLeast } from '#contract/dify/releaseNumbers.ts';
import type { CallOptions } from '../../caller.ts';
import { ServiceError } from '../../errors/serviceError.ts';
import type { DifySession } from '../management.ts';
import type { Surface } from '../offers.ts';
import { consoleApps } from './consoleApps.ts';
import type { ConsoleCalls } from './consoleCalls.ts';
import { consoleFiles } from './consoleFiles.ts';
import { consoleForms, consoleRuns } from './consoleRuns.ts';
import { consoleVariables } from './consoleVariables.ts';
import { consoleVersions } from './consoleVersions.ts';

/** The workspace that a sign-in is for. */
interface MeantWorkspace {
	/** Returns `undefined` for the account's current workspace. */
	readonly id: () => string | undefined;
	readonly switchTo: (workspaceId: string) => void;
}

/**
 * Operations of a release's console. An admin key's requests name the `meant` workspace. An account has a current workspace instead, which
 * its browser shares and can switch at any time: requests that would go to another workspace are refused (`workspace_switched`).
 */
export function consoleSurface(
	calls: ConsoleCalls,
	version: string | undefined,
	kind: DifySession['kind'],
	meant: MeantWorkspace,
): Surface {
	const { restore, ...versions } = consoleVersions(calls);
	const apps = consoleApps(calls);
	const files = consoleFiles(calls);
	const requireMeant = async (options: CallOptions | undefined) => {
		const id = kind === 'admin' ? undefined : meant.id();
		const current = id === undefined ? undefined : (await apps.workspaces!(options)).find(workspace => workspace.current);
		if (current && current.id !== id) {
			throw workspaceSwitched(current.name);
		}
	};
	return {
		...apps,
		...files,
		async apps(query, options) {
			// for later pages, the workspace was already checked with the first page
			if (query.page === 1) {
				await requireMeant(options);
			}
			return apps.apps!(query, options);
		},
		async importApp(file, options) {
			await requireMeant(options);
			return files.importApp!(file, options);
		},
		...versions,
		...(restore && isAtLeast(version, '1.13.3') && { restore }),
		...consoleRuns(calls),
		...(isAtLeast(version, '1.13.0') && consoleForms(calls)),
		...consoleVariables(calls),
		async switchWorkspace(tenant_id, options) {
			if (kind !== 'admin') {
				await calls.json('switchWorkspace', { method: 'POST', path: '/workspaces/switch', body: { tenant_id } }, options, () => undefined);
			}
			meant.switchTo(tenant_id);
		},
	};
}

function workspaceSwitched(current: string): ServiceError {
	const message = localizable`This Dify account was switched to the workspace '${current.slice(0, 100)}' in the browser. Nothing was sent there.`;
	return new ServiceError('invalid-request', message, { code: 'workspace_switched' });
}
