import type { TextGeneration } from '../../models/textGeneration.ts';
import type { Exchange } from '../../server/exchange.ts';
import type { Route } from '../../server/route.ts';
import { ServiceFault } from '../../server/serviceFault.ts';
import { forwardOpenAi, readOpenAiRequest, speaksOpenAi } from './openAiRequest.ts';

/** Chat completions: passed on to services of the same protocol, translated to others. */
export function chatCompletionRoutes(generation: TextGeneration): readonly Route[] {
	return [
		{ method: 'POST', path: '/v1/chat/completions', group: 'openai', handle: exchange => createChatCompletion(generation, exchange) },
	];
}

async function createChatCompletion(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const request = await readOpenAiRequest(exchange);
	const route = generation.table.find(request.model);
	if (speaksOpenAi(route)) {
		await forwardOpenAi(generation, exchange, request, route, '/chat/completions');
		return;
	}
	throw new ServiceFault(501, 'Not translated yet.');
}
