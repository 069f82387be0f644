import type { GatewayKnowledge } from '../knowledge/gatewayKnowledge.ts';
import type { Route } from '../server/route.ts';

/** Datasets that agents of this gateway search: how far each is indexed, and reading one anew (beyond the contract). */
export function knowledgeRoutes(knowledge: () => Promise<GatewayKnowledge>): readonly Route[] {
	return [
		{
			method: 'GET',
			path: '/v1/agent/knowledge',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, { data: await (await knowledge()).list() });
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/knowledge/{id}/reindex',
			group: 'agent',
			async handle(exchange) {
				exchange.sendJson(200, await (await knowledge()).reindex(exchange.params['id'] ?? ''));
			},
		},
	];
}
