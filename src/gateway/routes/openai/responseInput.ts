import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { responsesRequestSchema } from '#contract/openai/responses.ts';
import { createRouteHeader } from '#models/modelRoute.ts';
import { responsesProtocol } from '#models/protocols.ts';
import type { ResponseHistory } from '../../responses/responseHistory.ts';
import type { Exchange } from '../../server/exchange.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { forwardOpenAi, getOpenAiRoute, readOpenAiRequest } from './openAiRequest.ts';
import { readResponsesRequest } from './responsesRequest.ts';

/** Counts the tokens of a request's input, including the previous responses that it continues. */
export async function countInputTokens(generation: TextGeneration, history: ResponseHistory, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	const route = getOpenAiRoute(generation, asked.model);
	if (route.responses) {
		await forwardOpenAi(generation, exchange, asked, route, '/responses/input_tokens', responsesProtocol);
		return;
	}
	const request = readResponsesRequest(responsesRequestSchema, asked.body);
	const [{ createResponsesCall: responsesCall }, { countCallTokens: countInput }, { createWarningHeader: warningHeader }] =
		await Promise.all([
			import('#models/translate/responses/responsesCall.ts'),
			import('../../textGeneration/tokenCount.ts'),
			import('#models/translate/warningHeader.ts'),
		]);
	const { call } = responsesCall(request, history.resolveInput(request).items);
	const { tokens, warnings } = await countInput(generation, route, asked.model, call, exchange.signal);
	exchange.sendJson(
		200,
		{ object: 'response.input_tokens', input_tokens: tokens },
		{ ...warningHeader(warnings), ...createRouteHeader(route) },
	);
}

/**
 * Forwards a compaction to a service that supports it. There is no fallback, because only the service that compacts a conversation can read
 * the result.
 */
export async function compactResponse(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	const route = getOpenAiRoute(generation, asked.model);
	if (!route.responses) {
		throw new ServiceFault(
			404,
			`The model '${asked.model.slice(0, 200)}' can't compact conversations. Use a route with "responses": true to a service that supports /v1/responses.`,
			{ params: 'model', code: 'unsupported_value' },
		);
	}
	await generation.calls.serveCall(exchange, asked.model, [route], () =>
		forwardOpenAi(generation, exchange, asked, route, '/responses/compact', responsesProtocol),
	);
}
