import { endianness } from 'node:os';
import { openAiEndpoints } from '#contract/endpoints/openAiEndpoints.ts';
import { type EmbeddingsRequest, type EmbeddingsResponse, embeddingsRequestSchema } from '#contract/openai/embeddings.ts';
import { getStandInWarnings, type ModelRoute } from '#models/modelRoute.ts';
import type { Exchange } from '../../server/exchange.ts';
import { createRoute, type Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import {
	checkOpenAiBody,
	createFieldError,
	forwardOpenAi,
	getOpenAiRoute,
	isOpenAiClient,
	type OpenAiRequest,
	readOpenAiRequest,
} from './openAiRequest.ts';

/**
 * Routes for embeddings. These are forwarded to services of the same protocol, translated for Google's, or computed from word hashes by the
 * offline model.
 */
export function createEmbeddingRoutes(generation: TextGeneration): readonly Route[] {
	return [createRoute(openAiEndpoints.createEmbeddings, exchange => createEmbeddings(generation, exchange))];
}

async function createEmbeddings(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	// no fallback, because vectors of different models can't be compared
	const route = getOpenAiRoute(generation, asked.model);
	await generation.calls.serveCall(exchange, asked.model, [route], () => handleEmbeddings(generation, exchange, asked, route));
}

async function handleEmbeddings(generation: TextGeneration, exchange: Exchange, asked: OpenAiRequest, route: ModelRoute): Promise<void> {
	if (isOpenAiClient(route)) {
		await forwardOpenAi(generation, exchange, asked, route, '/embeddings');
		return;
	}
	const request = checkOpenAiBody(embeddingsRequestSchema, asked.body);
	const [{ embedTexts }, { listUnreadFields: unreadFields }, { createWarningHeader: warningHeader }] = await Promise.all([
		import('../../textGeneration/embedTexts.ts'),
		import('#models/translate/modelCall.ts'),
		import('#models/translate/warningHeader.ts'),
	]);
	const { model } = asked;
	const task = { route, model, texts: readTexts(request), dimensions: request.dimensions };
	const { vectors, tokens } = await embedTexts(generation, task, exchange.signal);
	const response: EmbeddingsResponse = {
		object: 'list',
		data: vectors.map((vector, index) => ({
			object: 'embedding',
			index,
			embedding: request.encoding_format === 'base64' ? toBase64(vector) : Array.from(vector),
		})),
		model: route.provider === 'offline' ? 'offline' : (route.upstreamModel ?? model),
		usage: { prompt_tokens: tokens, total_tokens: tokens },
	};
	exchange.sendJson(200, response, warningHeader([...getStandInWarnings(route, model), ...unreadFields(request, readFields)]));
}

const readFields = new Set(['model', 'input', 'encoding_format', 'dimensions', 'user']);

/** Returns the texts to embed. Throws an error (400) for token IDs, which only the service that assigned them can decode. */
function readTexts({ input }: EmbeddingsRequest): readonly string[] {
	if (typeof input === 'string') {
		return [input];
	}
	return input.map(text => {
		if (typeof text !== 'string') {
			throw createFieldError(
				'input',
				"Invalid 'input': this model can't read token IDs. Expected strings. In LangChain's OpenAIEmbeddings, set check_embedding_ctx_length=False.",
			);
		}
		return text;
	});
}

/** Encodes a vector as little-endian 32-bit floats, the format that both official SDKs request. */
function toBase64(vector: Float32Array): string {
	const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
	return (endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32()).toString('base64');
}
