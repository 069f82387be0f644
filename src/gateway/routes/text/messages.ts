import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { type MessagesRequest, messagesRequestSchema } from '#contract/text/messages.ts';
import { editMessagesBody } from '#models/edits/messagesEdits.ts';
import { type FieldSpan, findTopLevelFields, readFieldValue } from '#models/edits/topLevelFields.ts';
import { createRouteHeader, type ModelRoute } from '#models/modelRoute.ts';
import { messagesProtocol } from '#models/protocols.ts';
import { createUpstreamHeaders, createUpstreamQuery } from '#models/upstreamRequest.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { checkMessagesBody, checkMessagesSense, createBodyError, requireVersion } from './messagesChecks.ts';

/** Routes for messages, and for counting their tokens (contract C; wire facts 2). */
export function createMessagesRoutes(generation: TextGeneration): Route[] {
	return [
		createRoute(endpoints.createMessage, exchange => createMessage(generation, exchange)),
		createRoute(endpoints.countMessagesTokens, exchange => countTokens(generation, exchange)),
	];
}

async function createMessage(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const asked = await readRequest(exchange);
	await generation.serveExchange(exchange, asked.model, route => handleMessagesRequest(generation, exchange, asked, route));
}

async function handleMessagesRequest(generation: TextGeneration, exchange: Exchange, asked: Asked, route: ModelRoute): Promise<void> {
	if (route.provider === 'anthropic') {
		await forwardToAnthropic(generation, exchange, asked, route, '/v1/messages');
		return;
	}
	const request = checkMessagesBody(messagesRequestSchema, asked.body);
	checkMessagesSense(request);
	refuseThread(request);
	const [
		{ createMessagesCall: messagesCall },
		{ createMessagesReply: messagesReply },
		{ MessagesReplyWriter },
		{ estimateInputTokens: roughInputTokens },
	] = await Promise.all([
		import('#models/translate/messages/messagesCall.ts'),
		import('#models/translate/messages/messagesReply.ts'),
		import('#models/translate/messages/messagesReplyWriter.ts'),
		import('#models/offline/offlineModel.ts'),
	]);
	const handledBy = route.upstreamModel ?? asked.model;
	const call = messagesCall(request);
	await generation.respondWithModel(exchange, route, asked.model, call, {
		stream: request.stream === true,
		createWriter: () => new MessagesReplyWriter(handledBy, roughInputTokens(call)),
		formatWhole: result => messagesReply(result, handledBy),
	});
}

async function countTokens(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const asked = await readRequest(exchange);
	const route = generation.table.getRoute(asked.model);
	if (route.provider === 'anthropic') {
		await forwardToAnthropic(generation, exchange, asked, route, '/v1/messages/count_tokens');
		return;
	}
	const request: MessagesRequest = checkMessagesBody(messagesRequestSchema, asked.body);
	const [{ createMessagesCall: messagesCall }, { countCallTokens: countInput }, { createWarningHeader: warningHeader }] = await Promise.all(
		[
			import('#models/translate/messages/messagesCall.ts'),
			import('../../textGeneration/tokenCount.ts'),
			import('#models/translate/warningHeader.ts'),
		],
	);
	const { tokens, warnings } = await countInput(generation, route, asked.model, messagesCall(request), exchange.signal);
	exchange.sendJson(200, { input_tokens: tokens }, { ...warningHeader(warnings), ...createRouteHeader(route) });
}

/** Refuses conversations stored by Anthropic. Its SDK tries them for its tool runner, and continues without them after this error. */
function refuseThread(request: MessagesRequest): void {
	if (request['thread'] !== undefined) {
		throw new ServiceFault(400, "thread: message threads aren't supported here. Send the whole conversation in 'messages'.", {
			details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
		});
	}
}

interface Asked {
	readonly body: Buffer;
	readonly fields: ReadonlyMap<string, FieldSpan>;
	readonly model: string;
}

/** Reads just enough of a request to route it. */
async function readRequest(exchange: Exchange): Promise<Asked> {
	requireVersion(exchange.request);
	const body = await exchange.readJsonBody();
	const fields = findTopLevelFields(body);
	if (!fields) {
		throw isJson(body) ? createBodyError() : new ServiceFault(400, 'The request body is not valid JSON');
	}
	const span = fields.get('model');
	const model = span && readFieldValue(body, span);
	if (typeof model !== 'string' || model === '') {
		throw new ServiceFault(400, model === undefined ? 'model: Field required' : 'model: Input should be a valid string');
	}
	return { body, fields, model };
}

/** True for JSON of any kind. Only called for a body that isn't a JSON object. */
function isJson(body: Buffer): boolean {
	try {
		JSON.parse(body.toString('utf8'));
		return true;
	} catch {
		return false;
	}
}

function forwardToAnthropic(
	generation: TextGeneration,
	exchange: Exchange,
	{ body, fields }: Asked,
	route: ModelRoute,
	path: string,
): Promise<void> {
	return generation.forwardRequest(
		exchange,
		route,
		{
			origin: route.origin,
			path: route.prefix + path + createUpstreamQuery(exchange.target.search),
			method: 'POST',
			headers: createUpstreamHeaders(route, exchange.request.headers),
			body: editMessagesBody(body, fields, route.upstreamModel, path.endsWith('/count_tokens')),
		},
		messagesProtocol,
	);
}
