import type { ServedEndpoint } from '#contract/endpoints/endpoint.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createRouteHeader, type ModelRoute } from '#models/modelRoute.ts';
import { contentProtocol } from '#models/protocols.ts';
import { createUpstreamHeaders, createUpstreamQuery } from '#models/upstreamRequest.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { handleEmbedContent, renameEmbeddedModel } from './contentEmbeddings.ts';

/**
 * Routes for content generation and embeddings, with the model in the path (contract E1 and E2; wire facts 4). Google's `/v1` has already
 * been rewritten to `/v1beta`.
 */
export function createContentRoutes(generation: TextGeneration): Route[] {
	const createTextRoute = (
		endpoint: ServedEndpoint,
		answer: (generation: TextGeneration, exchange: Exchange, asked: Asked) => Promise<void>,
	): Route =>
		createRoute(endpoint, async exchange => {
			const model = exchange.params['model'] ?? '';
			const attemptRoute = (route: ModelRoute) =>
				route.provider === 'google'
					? forwardToGoogle(generation, exchange, { model, route }, getOperationName(endpoint))
					: answer(generation, exchange, { model, route });
			// don't record token counting as a text generation call
			await (endpoint === endpoints.countContentTokens
				? attemptRoute(generation.table.getRoute(model))
				: generation.serveExchange(exchange, model, attemptRoute));
		});
	const createEmbeddingRoute = (endpoint: ServedEndpoint, isBatch: boolean): Route =>
		createRoute(endpoint, async exchange => {
			const model = exchange.params['model'] ?? '';
			// no fallback, because vectors of different models can't be compared
			const route = generation.table.getRoute(model);
			await generation.calls.serveCall(exchange, model, [route], () =>
				route.provider === 'google'
					? forwardToGoogle(generation, exchange, { model, route }, getOperationName(endpoint), renameEmbeddedModel)
					: handleEmbedContent(generation, exchange, { model, route }, isBatch),
			);
		});
	return [
		createTextRoute(endpoints.generateContent, (...all) => generateContent(...all, false)),
		createTextRoute(endpoints.streamGenerateContent, (...all) => generateContent(...all, true)),
		createTextRoute(endpoints.countContentTokens, countTokens),
		createEmbeddingRoute(endpoints.embedContent, false),
		createEmbeddingRoute(endpoints.batchEmbedContents, true),
	];
}

/** Returns Google's name of the operation, which ends the path. */
function getOperationName({ paths }: ServedEndpoint): string {
	return paths.gateway.slice(paths.gateway.lastIndexOf(':') + 1);
}

interface Asked {
	readonly model: string;
	readonly route: ModelRoute;
}

async function generateContent(generation: TextGeneration, exchange: Exchange, { model, route }: Asked, stream: boolean): Promise<void> {
	const body = await exchange.readRawJson();
	const [{ createContentCall: contentCall }, { createContentReply: contentReply, ContentReplyWriter }] = await Promise.all([
		import('#models/translate/content/contentCall.ts'),
		import('#models/translate/content/contentReply.ts'),
	]);
	const handledBy = route.upstreamModel ?? model;
	await generation.respondWithModel(exchange, route, model, contentCall(body), {
		stream,
		createWriter: () => new ContentReplyWriter(handledBy, exchange.query.get('alt') === 'sse'),
		formatWhole: result => contentReply(result, handledBy),
	});
}

/** Counts the tokens of `contents`, or of a whole request given as `generateContentRequest`. */
async function countTokens(generation: TextGeneration, exchange: Exchange, { model, route }: Asked): Promise<void> {
	const body = await exchange.readRawJson();
	const [
		{ createContentCall: contentCall },
		{ countCallTokens: countInput },
		{ toCamelCaseFields: camelFields },
		{ createWarningHeader: warningHeader },
	] = await Promise.all([
		import('#models/translate/content/contentCall.ts'),
		import('../../textGeneration/tokenCount.ts'),
		import('#models/translate/content/protoJson.ts'),
		import('#models/translate/warningHeader.ts'),
	]);
	const fields = camelFields(body);
	if (fields['contents'] === undefined && fields['generateContentRequest'] === undefined) {
		throw new ServiceFault(400, '* CountTokensRequest.contents: contents is not specified');
	}
	const call = contentCall(fields['generateContentRequest'] ?? body);
	const { tokens, warnings } = await countInput(generation, route, model, call, exchange.signal);
	const counted = { totalTokens: tokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }] };
	exchange.sendJson(200, counted, { ...warningHeader(warnings), ...createRouteHeader(route) });
}

/**
 * Forwards a request to Google.
 * @param rename replaces the model name in a body that repeats it with the upstream's name
 */
async function forwardToGoogle(
	generation: TextGeneration,
	exchange: Exchange,
	{ model, route }: Asked,
	verb: string,
	rename?: (body: Buffer, model: string) => Buffer,
): Promise<void> {
	const received = await exchange.readBody();
	const { upstreamModel } = route;
	const body = upstreamModel !== undefined && rename ? rename(received, upstreamModel) : received;
	const version = exchange.request.url?.startsWith('/v1/') ? 'v1' : 'v1beta';
	const name = encodeURIComponent(upstreamModel ?? model)
		.replaceAll('%2F', '/')
		.replaceAll('%3A', ':');
	await generation.forwardRequest(
		exchange,
		route,
		{
			origin: route.origin,
			path: `${route.prefix}/${version}/models/${name}:${verb}${createUpstreamQuery(exchange.target.search)}`,
			method: 'POST',
			headers: createUpstreamHeaders(route, exchange.request.headers),
			body,
		},
		contentProtocol,
	);
}
