import { endpoints } from '#contract/endpoints/endpoints.ts';
import { prepareCompletion } from '../chat/completionTurn.ts';
import { createRoute, type Route } from '../server/route.ts';
import { toUnixSeconds } from './runViews.ts';
import { createStopRoute } from './stopRoute.ts';
import { sendStreamedReply } from './streamedReply.ts';
import type { WorkflowRouteParts } from './workflows.ts';

/** Routes for the text of completion apps, in Dify's format with the contract's `model` (not in the contract). */
export function createCompletionMessageRoutes({ agents, runs }: Pick<WorkflowRouteParts, 'agents' | 'runs'>): readonly Route[] {
	return [
		createRoute(endpoints.createCompletionMessage, async exchange => {
			const body = await exchange.readJson(endpoints.createCompletionMessage.body);
			using prepared = await prepareCompletion(runs, await agents.getPublishedVersion(body.model), body);
			if (body.response_mode === 'streaming') {
				await sendStreamedReply(exchange, prepared.ids, send => prepared.start(send));
				return;
			}
			const { reply } = await prepared.start();
			const { answer, metadata } = await reply;
			const { message_id: id } = prepared.ids;
			exchange.sendJson(200, {
				event: 'message',
				...prepared.ids,
				id,
				mode: 'completion',
				answer,
				metadata,
				created_at: toUnixSeconds(prepared.createdAt),
			});
		}),
		createStopRoute(endpoints.stopCompletionMessage, { agents, runs }),
	];
}
