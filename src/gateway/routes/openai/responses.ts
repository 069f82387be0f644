import { openAiEndpoints } from '#contract/endpoints/openAiEndpoints.ts';
import { encryptedReasoning, responsesRequestSchema } from '#contract/openai/responses.ts';
import { readFieldValue } from '#models/edits/topLevelFields.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { responsesProtocol } from '#models/protocols.ts';
import type { AgentModels } from '../../agentModels/agentModels.ts';
import type { ResponseHistory } from '../../responses/responseHistory.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { createFieldError, forwardOpenAi, type OpenAiRequest, readOpenAiRequest, serveOpenAi } from './openAiRequest.ts';
import { compactResponse, countInputTokens } from './responseInput.ts';
import { readResponsesRequest, shouldShowEncrypted } from './responsesRequest.ts';

interface ResponseParts {
	readonly generation: TextGeneration;
	readonly history: ResponseHistory;
	/** Agents offered as models. */
	readonly agents?: AgentModels;
}

/**
 * Routes for responses. These are forwarded if a route says that its service supports them, translated for others, or answered by agents
 * offered as models. Stores responses, so that requests can continue them.
 */
export function createResponseRoutes(parts: ResponseParts): readonly Route[] {
	const { generation, history } = parts;
	return [
		createRoute(openAiEndpoints.createResponse, exchange => createResponse(parts, exchange)),
		createRoute(openAiEndpoints.countResponseTokens, exchange => countInputTokens(generation, history, exchange)),
		createRoute(openAiEndpoints.compactResponse, exchange => compactResponse(generation, exchange)),
		createRoute(openAiEndpoints.getResponse, exchange => getResponse(history, exchange)),
		createRoute(openAiEndpoints.deleteResponse, exchange => deleteResponse(history, exchange)),
	];
}

async function createResponse({ generation, history, agents }: ResponseParts, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	if (agents?.isOffering(asked.model)) {
		const { respondWithAgent: respondAsAgent } = await import('./agentResponse.ts');
		await respondAsAgent(agents, history, exchange, asked);
		return;
	}
	const attemptRoute = (route: ModelRoute) => handleResponsesRequest({ generation, history }, exchange, asked, route);
	const previous = readStringField(asked, 'previous_response_id');
	await serveOpenAi(generation, exchange, asked, attemptRoute, {
		mayCache: isStateless(asked),
		// a response stored by its service can only be continued there
		mayFallBack: (first, other) => previous === undefined || !first.responses || other.responses || history.has(previous),
	});
}

function readStringField({ body, fields }: OpenAiRequest, name: string): string | undefined {
	const span = fields.get(name);
	const value = span && readFieldValue(body, span);
	return typeof value === 'string' ? value : undefined;
}

/**
 * True if a request neither stores its response nor continues a stored one. Only such responses may be cached, because a cached response
 * could otherwise have the ID of a response that was deleted in the meantime.
 */
function isStateless({ body, fields }: OpenAiRequest): boolean {
	const store = fields.get('store');
	return (
		store !== undefined &&
		readFieldValue(body, store) === false &&
		!fields.has('previous_response_id') &&
		!body.includes('"item_reference"')
	);
}

async function handleResponsesRequest(
	{ generation, history }: Pick<ResponseParts, 'generation' | 'history'>,
	exchange: Exchange,
	asked: OpenAiRequest,
	route: ModelRoute,
): Promise<void> {
	if (route.responses) {
		await forwardOpenAi(generation, exchange, asked, route, '/responses', responsesProtocol);
		return;
	}
	const request = readResponsesRequest(responsesRequestSchema, asked.body);
	const { items, own } = history.resolveInput(request);
	const [
		{ createResponsesCall: responsesCall },
		{ createResponseHead: responseHead },
		{ ResponseMaker },
		{ ResponsesReplyWriter, createResponsesReply: responsesReply },
	] = await Promise.all([
		import('#models/translate/responses/responsesCall.ts'),
		import('#models/translate/responses/responseHead.ts'),
		import('#models/translate/responses/responseMaker.ts'),
		import('#models/translate/responses/responsesReplyWriter.ts'),
	]);
	const { call, tools } = responsesCall(request, items);
	const maker = new ResponseMaker(responseHead(request, route.upstreamModel ?? asked.model, tools.kept, Date.now()), {
		tools,
		showsEncrypted: shouldShowEncrypted(request),
		now: Date.now,
		onEnded: response => history.add(response, own),
	});
	await generation.respondWithModel(exchange, route, asked.model, call, {
		stream: request.stream === true,
		createWriter: () => new ResponsesReplyWriter(maker),
		formatWhole: result => responsesReply(result, maker),
	});
}

function getResponse(history: ResponseHistory, exchange: Exchange): void {
	const { query } = exchange;
	if (query.get('stream') === 'true') {
		throw createFieldError('stream', "Stored responses can't be streamed. Omit 'stream'.");
	}
	const included = [...query].some(([name, value]) => /^include(\[\d*\])?$/.test(name) && value === encryptedReasoning);
	exchange.sendJson(200, history.get(exchange.params['id'] ?? '', included));
}

function deleteResponse(history: ResponseHistory, exchange: Exchange): void {
	const id = exchange.params['id'] ?? '';
	history.delete(id);
	exchange.sendJson(200, { id, object: 'response', deleted: true });
}
