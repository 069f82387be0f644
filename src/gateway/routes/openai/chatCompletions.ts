import { endpoints } from '#contract/endpoints/endpoints.ts';
import { chatCompletionRequestSchema } from '#contract/openai/chatCompletions.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { checkOpenAiBody, forwardOpenAi, isOpenAiClient, type OpenAiRequest, readOpenAiRequest, serveOpenAi } from './openAiRequest.ts';

/**
 * Routes for chat completions. These are forwarded to services of the same protocol, translated for others, or answered by agents offered
 * as models.
 */
export function createChatCompletionRoutes(generation: TextGeneration, agents?: AgentModels): readonly Route[] {
	return [createRoute(endpoints.chatCompletion, exchange => createChatCompletion(generation, agents, exchange))];
}

async function createChatCompletion(generation: TextGeneration, agents: AgentModels | undefined, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	if (agents?.isOffering(asked.model)) {
		const { respondWithAgentChat: answerAsAgent } = await import('./agentChat.ts');
		await answerAsAgent(agents, exchange, asked);
		return;
	}
	await serveOpenAi(generation, exchange, asked, route => handleChatCompletion(generation, exchange, asked, route));
}

async function handleChatCompletion(
	generation: TextGeneration,
	exchange: Exchange,
	asked: OpenAiRequest,
	route: ModelRoute,
): Promise<void> {
	if (isOpenAiClient(route)) {
		await forwardOpenAi(generation, exchange, asked, route, '/chat/completions');
		return;
	}
	const request = checkOpenAiBody(chatCompletionRequestSchema, asked.body);
	const [{ createChatCall: chatCall }, { createChatReply: chatReply }, { ChatReplyWriter }] = await Promise.all([
		import('#models/translate/chatCompletions/chatCall.ts'),
		import('#models/translate/chatCompletions/chatReply.ts'),
		import('#models/translate/chatCompletions/chatReplyWriter.ts'),
	]);
	const handledBy = route.upstreamModel ?? asked.model;
	await generation.respondWithModel(exchange, route, asked.model, chatCall(request), {
		stream: request.stream === true,
		createWriter: () => new ChatReplyWriter(handledBy, request.stream_options?.include_usage === true),
		formatWhole: result => chatReply(result, handledBy),
	});
}
