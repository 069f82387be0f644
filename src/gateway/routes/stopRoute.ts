import type { ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import { stopRequestSchema } from '#contract/workflows.ts';
import { createRoute, type Route } from '../server/route.ts';
import type { WorkflowRouteParts } from './workflows.ts';

/** Creates a route that stops a run of another endpoint by its task ID. */
export function createStopRoute(endpoint: ServedEndpoint, { agents, runs }: Pick<WorkflowRouteParts, 'agents' | 'runs'>): Route {
	return createRoute(endpoint, async exchange => {
		const { model, user } = await exchange.readJson(stopRequestSchema);
		const agent = await agents.getAgentRow(model);
		runs.stopTask(agent.id, exchange.params['task'] ?? '', user);
		exchange.sendJson(200, { result: 'success' });
	});
}
