import type { ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import { stopRequestSchema } from '#contract/workflows.ts';
import { type Route, serve } from '../server/route.ts';
import type { WorkflowRouteParts } from './workflows.ts';

/** Route that stops a run started by another endpoint, by its task ID. */
export function stopRoute(endpoint: ServedEndpoint, { agents, runs }: Pick<WorkflowRouteParts, 'agents' | 'runs'>): Route {
	return serve(endpoint, async exchange => {
		const { model, user } = await exchange.json(stopRequestSchema);
		const agent = await agents.known(model);
		runs.stop(agent.id, exchange.params['task'] ?? '', user);
		exchange.sendJson(200, { result: 'success' });
	});
}
