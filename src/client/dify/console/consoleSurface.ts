import { localizable } from '#base/text/localizableMessage.ts';
import { isAtLeast } from '#contract/dify/releaseNumbers.ts';
import type { CallOptions } from '../../caller.ts';
import { ServiceError } from '../../errors/serviceError.ts';
import type { DifySession } from '../management.ts';
import type { Surface } from '../offers.ts';
import { createConsoleApps } from './consoleApps.ts';
import type { ConsoleCalls } from './consoleCalls.ts';
import { createConsoleFiles } from './consoleFiles.ts';
import { createConsoleForms, createConsoleRuns } from './consoleRuns.ts';
import { createConsoleVariables } from './consoleVariables.ts';
import { createConsoleVersions } from './consoleVersions.ts';

/** The workspace that a sign-in is for. */
interface TargetWorkspace {
	/** Returns `undefined` for the account's current workspace. */
	readonly getId: () => string | undefined;
	readonly switchTo: (workspaceId: string) => void;
}

/**
 * Creates the operations of a release's console. Requests with an admin key name the `meant` workspace. An account has a current workspace
 * instead, which its browser shares and can switch at any time. Requests that would go to another workspace are refused
 * (`workspace_switched`).
 */
export function createConsoleSurface(
	calls: ConsoleCalls,
	version: string | undefined,
	kind: DifySession['kind'],
	meant: TargetWorkspace,
): Surface {
	const { restore, ...versions } = createConsoleVersions(calls);
	const apps = createConsoleApps(calls);
	const files = createConsoleFiles(calls);
	const requireMeantWorkspace = async (options: CallOptions | undefined) => {
		const id = kind === 'admin' ? undefined : meant.getId();
		const current = id === undefined ? undefined : (await apps.workspaces!(options)).find(workspace => workspace.current);
		if (current && current.id !== id) {
			throw createSwitchedError(current.name);
		}
	};
	return {
		...apps,
		...files,
		async apps(query, options) {
			// later pages don't need the check that the first page made
			if (query.page === 1) {
				await requireMeantWorkspace(options);
			}
			return apps.apps!(query, options);
		},
		async importApp(file, options) {
			await requireMeantWorkspace(options);
			return files.importApp!(file, options);
		},
		...versions,
		...(restore && isAtLeast(version, '1.13.3') && { restore }),
		...createConsoleRuns(calls),
		...(isAtLeast(version, '1.13.0') && createConsoleForms(calls)),
		...createConsoleVariables(calls),
		async switchWorkspace(tenant_id, options) {
			if (kind !== 'admin') {
				await calls.requestJson(
					'switchWorkspace',
					{ method: 'POST', path: '/workspaces/switch', body: { tenant_id } },
					options,
					() => undefined,
				);
			}
			meant.switchTo(tenant_id);
		},
	};
}

function createSwitchedError(current: string): ServiceError {
	const message = localizable`This Dify account was switched to the workspace '${current.slice(0, 100)}' in the browser. Nothing was sent there.`;
	return new ServiceError('invalid-request', message, { code: 'workspace_switched' });
}
