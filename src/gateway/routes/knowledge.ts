import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { GatewayKnowledge } from '../knowledge/gatewayKnowledge.ts';
import { createRoute, type Route } from '../server/route.ts';

/** Routes for the datasets that agents of this gateway search: indexing progress and reindexing (not in the contract). */
export function createKnowledgeRoutes(knowledge: () => Promise<GatewayKnowledge>): readonly Route[] {
	return [
		createRoute(endpoints.listDatasets, async exchange => {
			exchange.sendJson(200, { data: await (await knowledge()).listDatasets() });
		}),
		createRoute(endpoints.reindexDataset, async exchange => {
			exchange.sendJson(200, await (await knowledge()).reindexDataset(exchange.params['id'] ?? ''));
		}),
	];
}
