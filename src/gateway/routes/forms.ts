import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import type { PausedRuns } from '../runs/pausedRuns.ts';
import { type Route, serve } from '../server/route.ts';

interface FormRouteParts {
	readonly agents: AgentRegistry;
	readonly forms: PausedRuns;
}

/** Routes for the forms of paused runs: Dify's shape (beyond the contract). */
export function formRoutes({ agents, forms }: FormRouteParts): readonly Route[] {
	return [
		serve(endpoints.getForm, async exchange => {
			const { model } = exchange.checkedQuery(endpoints.getForm.query);
			exchange.sendJson(200, forms.form(exchange.params['token'] ?? '', await agentId(model)));
		}),
		serve(endpoints.submitForm, async exchange => {
			const { model, action, inputs } = await exchange.json(endpoints.submitForm.body);
			forms.answer(exchange.params['token'] ?? '', await agentId(model), { action, inputs });
			exchange.sendJson(200, {});
		}),
	];

	async function agentId(model: string | undefined): Promise<number | undefined> {
		return model === undefined ? undefined : (await agents.known(model)).id;
	}
}
