import { endpoints } from '#contract/endpoints/endpoints.ts';
import { createRoute, type Route } from '../server/route.ts';
import type { StoreFault } from '../store/storeFault.ts';

/**
 * `/` names the service and the path of its description.
 *
 * `/healthz` reports that the process serves requests, and which process it is. `instance` is the one in the data folder's lock file
 * (`FolderSign`), so that clients don't send their key to another process. `problem` is the reason why the data folder can't be written, as
 * in errors. Neither needs a key.
 */
export function createHealthRoutes(instance: string, store: { readonly refused: StoreFault | undefined }): readonly Route[] {
	return [
		createRoute(endpoints.service, exchange => exchange.sendJson(200, { service, description: '/openapi.json', health: '/healthz' })),
		createRoute(endpoints.health, exchange => {
			const problem = store.refused?.reason;
			exchange.sendJson(200, {
				status: 'ok',
				service,
				pid: process.pid,
				instance,
				...(problem && { problem }),
			});
		}),
	];
}

const service = 'agent-workbench-gateway';
