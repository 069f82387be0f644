import { type ManagementOperation, managementOperations } from '../management.ts';
import type { Surface } from '../offers.ts';
import { openapiApps } from './openapiApps.ts';
import type { OpenapiCalls } from './openapiCalls.ts';
import { openapiFiles } from './openapiFiles.ts';
import { openapiRuns } from './openapiRuns.ts';
import { openapiVersions } from './openapiVersions.ts';

/** All that `/openapi/v1` of any generation can do; {@link openapiOffers} says what of it this deployment has. */
export function openapiSurface(calls: OpenapiCalls): Surface {
	return { ...openapiApps(calls), ...openapiFiles(calls), ...openapiVersions(calls), ...openapiRuns(calls) };
}

/** What the deployment has, as far as its catalog has been read. */
export function openapiOffers(surface: Surface, calls: OpenapiCalls): ReadonlySet<ManagementOperation> {
	const has = (operation: ManagementOperation) => {
		switch (operation) {
			case 'switchWorkspace':
				return true;
			case 'published':
				return calls.has('versions');
			case 'lastNodeRun':
			case 'draftVariables':
			case 'keys':
			case 'createKey':
			case 'deleteKey':
				return false;
			default:
				return calls.has(operation);
		}
	};
	return new Set(managementOperations.filter(operation => surface[operation] !== undefined && has(operation)));
}
