import { openAiEndpoints } from '#contract/endpoints/openAiEndpoints.ts';
import { textCompletionRequestSchema } from '#contract/openai/textCompletions.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { checkOpenAiBody, forwardOpenAi, isOpenAiClient, type OpenAiRequest, readOpenAiRequest, serveOpenAi } from './openAiRequest.ts';

/**
 * Routes for OpenAI's legacy completions, which editors use for inline suggestions. These are forwarded to services of the same protocol,
 * or translated for others.
 */
export function createTextCompletionRoutes(generation: TextGeneration): readonly Route[] {
	return [createRoute(openAiEndpoints.createTextCompletion, exchange => createTextCompletion(generation, exchange))];
}

async function createTextCompletion(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	await serveOpenAi(generation, exchange, asked, route => handleTextCompletion(generation, exchange, asked, route));
}

async function handleTextCompletion(
	generation: TextGeneration,
	exchange: Exchange,
	asked: OpenAiRequest,
	route: ModelRoute,
): Promise<void> {
	if (isOpenAiClient(route)) {
		await forwardOpenAi(generation, exchange, asked, route, '/completions');
		return;
	}
	const request = checkOpenAiBody(textCompletionRequestSchema, asked.body);
	const [{ createTextCompletionCall: textCompletionCall }, { createTextCompletionReply: textCompletionReply, TextCompletionReplyWriter }] =
		await Promise.all([
			import('#models/translate/textCompletions/textCompletionCall.ts'),
			import('#models/translate/textCompletions/textCompletionReply.ts'),
		]);
	const handledBy = route.upstreamModel ?? asked.model;
	await generation.respondWithModel(exchange, route, asked.model, textCompletionCall(request), {
		stream: request.stream === true,
		createWriter: () => new TextCompletionReplyWriter(handledBy, request.stream_options?.include_usage === true),
		formatWhole: result => textCompletionReply(result, handledBy),
	});
}
