import type { DifySession } from '../management.ts';
import type { Surface } from '../offers.ts';
import { isAtLeast } from '../releases.ts';
import { consoleApps } from './consoleApps.ts';
import type { ConsoleCalls } from './consoleCalls.ts';
import { consoleFiles } from './consoleFiles.ts';
import { consoleForms, consoleRuns } from './consoleRuns.ts';
import { consoleVariables } from './consoleVariables.ts';
import { consoleVersions } from './consoleVersions.ts';

/**
 * What the console of a release can do. `switchTo` takes the workspace that an admin key's requests name; an account has a current one instead, which its
 * browser has too.
 */
export function consoleSurface(
	calls: ConsoleCalls,
	version: string | undefined,
	kind: DifySession['kind'],
	switchTo: (workspaceId: string) => void,
): Surface {
	const { restore, ...versions } = consoleVersions(calls);
	return {
		...consoleApps(calls),
		...consoleFiles(calls),
		...versions,
		...(restore && isAtLeast(version, '1.13.3') && { restore }),
		...consoleRuns(calls),
		...(isAtLeast(version, '1.13.0') && consoleForms(calls)),
		...consoleVariables(calls),
		async switchWorkspace(tenant_id, options) {
			if (kind !== 'admin') {
				await calls.json('switchWorkspace', { method: 'POST', path: '/workspaces/switch', body: { tenant_id } }, options, () => undefined);
			}
			switchTo(tenant_id);
		},
	};
}
