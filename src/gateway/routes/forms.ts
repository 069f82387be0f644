import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import type { PausedRuns } from '../runs/pausedRuns.ts';
import { createRoute, type Route } from '../server/route.ts';

interface FormRouteParts {
	readonly agents: AgentRegistry;
	readonly forms: PausedRuns;
}

/** Routes for the forms of paused runs, in Dify's format (not in the contract). */
export function createFormRoutes({ agents, forms }: FormRouteParts): readonly Route[] {
	return [
		createRoute(endpoints.getForm, async exchange => {
			const { model } = exchange.readQuery(endpoints.getForm.query);
			exchange.sendJson(200, forms.getForm(exchange.params['token'] ?? '', await getAgentId(model)));
		}),
		createRoute(endpoints.submitForm, async exchange => {
			const { model, action, inputs } = await exchange.readJson(endpoints.submitForm.body);
			forms.answerForm(exchange.params['token'] ?? '', await getAgentId(model), { action, inputs });
			exchange.sendJson(200, {});
		}),
	];

	async function getAgentId(model: string | undefined): Promise<number | undefined> {
		return model === undefined ? undefined : (await agents.getAgentRow(model)).id;
	}
}
