import { type ManagementOperation, managementOperations } from '../management.ts';
import type { Surface } from '../offers.ts';
import { openapiApps } from './openapiApps.ts';
import type { OpenapiCalls } from './openapiCalls.ts';
import { openapiFiles } from './openapiFiles.ts';
import { openapiRuns } from './openapiRuns.ts';
import { openapiVersions } from './openapiVersions.ts';

/** All operations of `/openapi/v1` of any generation; {@link openapiOffers} says which ones this deployment has. */
export function openapiSurface(calls: OpenapiCalls): Surface {
	return { ...openapiApps(calls), ...openapiFiles(calls), ...openapiVersions(calls), ...openapiRuns(calls) };
}

/** Returns the operations that the deployment has, according to the catalog if it has been read. */
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
