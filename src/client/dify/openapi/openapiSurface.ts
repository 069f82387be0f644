import { type ManagementOperation, managementOperations } from '../management.ts';
import type { Surface } from '../offers.ts';
import { createOpenapiApps } from './openapiApps.ts';
import type { OpenapiCalls } from './openapiCalls.ts';
import { createOpenapiFiles } from './openapiFiles.ts';
import { createOpenapiRuns } from './openapiRuns.ts';
import { createOpenapiVersions } from './openapiVersions.ts';

/** Creates the operations of `/openapi/v1` of all generations; {@link listOpenapiOffers} returns those that this deployment has. */
export function createOpenapiSurface(calls: OpenapiCalls): Surface {
	return { ...createOpenapiApps(calls), ...createOpenapiFiles(calls), ...createOpenapiVersions(calls), ...createOpenapiRuns(calls) };
}

/** Returns the operations that the deployment has, according to the catalog if it has been read. */
export function listOpenapiOffers(surface: Surface, calls: OpenapiCalls): ReadonlySet<ManagementOperation> {
	const isOffered = (operation: ManagementOperation) => {
		switch (operation) {
			case 'switchWorkspace':
				return true;
			case 'published':
				return calls.hasEndpoint('versions');
			case 'lastNodeRun':
			case 'draftVariables':
			case 'keys':
			case 'createKey':
			case 'deleteKey':
				return false;
			default:
				return calls.hasEndpoint(operation);
		}
	};
	return new Set(managementOperations.filter(operation => surface[operation] !== undefined && isOffered(operation)));
}
