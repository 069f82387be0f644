import { stopRequestSchema } from '#contract/workflows.ts';
import type { Route } from '../server/route.ts';
import type { WorkflowRouteParts } from './workflows.ts';

/** Stops what a path has begun, by its task. */
export function stopRoute(path: string, { agents, runs }: Pick<WorkflowRouteParts, 'agents' | 'runs'>): Route {
	return {
		method: 'POST',
		path: `${path}/{task}/stop`,
		group: 'agent',
		async handle(exchange) {
			const { model, user } = await exchange.json(stopRequestSchema);
			const agent = await agents.known(model);
			runs.stop(agent.id, exchange.params['task'] ?? '', user);
			exchange.sendJson(200, { result: 'success' });
		},
	};
}
