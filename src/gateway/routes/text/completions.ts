import { endpoints } from '#contract/endpoints/endpoints.ts';
import { completionsRequestSchema } from '#contract/text/completions.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { checkMessagesBody, requireVersion } from './messagesChecks.ts';

/**
 * Routes for completions of a prompt (contract D; wire facts 3). Requests are sent as messages, because Anthropic's newer models accept
 * nothing else.
 */
export function createCompletionsRoutes(generation: TextGeneration): Route[] {
	return [createRoute(endpoints.createCompletion, exchange => createCompletion(generation, exchange))];
}

async function createCompletion(generation: TextGeneration, exchange: Exchange): Promise<void> {
	requireVersion(exchange.request);
	const request = checkMessagesBody(completionsRequestSchema, await exchange.readJsonBody());
	const [{ createCompletionsCall: completionsCall }, { createCompletionsReply: completionsReply, CompletionsReplyWriter }] =
		await Promise.all([
			import('#models/translate/completions/completionsCall.ts'),
			import('#models/translate/completions/completionsReply.ts'),
		]);
	await generation.serveExchange(exchange, request.model, route => {
		const handledBy = route.upstreamModel ?? request.model;
		return generation.respondWithModel(exchange, route, request.model, completionsCall(request), {
			stream: request.stream === true,
			createWriter: () => new CompletionsReplyWriter(handledBy),
			formatWhole: result => completionsReply(result, handledBy),
		});
	});
}
