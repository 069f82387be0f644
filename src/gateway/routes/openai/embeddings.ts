import { endianness } from 'node:os';
import { type EmbeddingsRequest, type EmbeddingsResponse, embeddingsRequestSchema } from '#contract/openai/embeddings.ts';
import { type ModelRoute, standInWarnings } from '#models/modelRoute.ts';
import type { Exchange } from '../../server/exchange.ts';
import type { Route } from '../../server/route.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';
import { badField, checkOpenAiBody, forwardOpenAi, type OpenAiRequest, readOpenAiRequest, routeOf, speaksOpenAi } from './openAiRequest.ts';

/** Embeddings: passed on to services of the same protocol, asked of Google's in its own, and hashed words offline. */
export function embeddingRoutes(generation: TextGeneration): readonly Route[] {
	return [{ method: 'POST', path: '/v1/embeddings', group: 'openai', handle: exchange => createEmbeddings(generation, exchange) }];
}

async function createEmbeddings(generation: TextGeneration, exchange: Exchange): Promise<void> {
	const asked = await readOpenAiRequest(exchange);
	// vectors of another model would be no answer: it has no fallback
	const route = routeOf(generation, asked.model);
	await generation.calls.serve(exchange, asked.model, [route], () => answerEmbeddings(generation, exchange, asked, route));
}

async function answerEmbeddings(generation: TextGeneration, exchange: Exchange, asked: OpenAiRequest, route: ModelRoute): Promise<void> {
	if (speaksOpenAi(route)) {
		await forwardOpenAi(generation, exchange, asked, route, '/embeddings');
		return;
	}
	const request = checkOpenAiBody(embeddingsRequestSchema, asked.body);
	const [{ countTokens }, { unreadFields }, { warningHeader }] = await Promise.all([
		import('#models/offline/offlineTokens.ts'),
		import('#models/translate/modelCall.ts'),
		import('#models/translate/warningHeader.ts'),
	]);
	const texts = textsOf(request);
	const isOffline = route.provider === 'offline';
	const vectors = isOffline
		? await offlineVectors(texts, request.dimensions)
		: await serviceVectors(generation, asked.model, texts, exchange.signal, request.dimensions);
	const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
	const response: EmbeddingsResponse = {
		object: 'list',
		data: vectors.map((vector, index) => ({
			object: 'embedding',
			index,
			embedding: request.encoding_format === 'base64' ? base64Of(vector) : Array.from(vector),
		})),
		model: isOffline ? 'offline' : (route.upstreamModel ?? asked.model),
		usage: { prompt_tokens: tokens, total_tokens: tokens },
	};
	exchange.sendJson(200, response, warningHeader([...standInWarnings(route, asked.model), ...unreadFields(request, readFields)]));
}

const readFields = new Set(['model', 'input', 'encoding_format', 'dimensions', 'user']);

/** The texts to embed. Throws a fault (400) for tokens, which name words only to the service that has made them. */
function textsOf({ input }: EmbeddingsRequest): readonly string[] {
	if (typeof input === 'string') {
		return [input];
	}
	return input.map(text => {
		if (typeof text !== 'string') {
			throw badField(
				'input',
				"Invalid 'input': tokens cannot be read by this model, expected texts. LangChain's OpenAIEmbeddings sends texts with check_embedding_ctx_length=False.",
			);
		}
		return text;
	});
}

async function offlineVectors(texts: readonly string[], dimensions: number | undefined): Promise<readonly Float32Array[]> {
	const { offlineEmbedding } = await import('#models/offline/offlineEmbeddings.ts');
	const vectors: Float32Array[] = [];
	for (const text of texts) {
		vectors.push(await offlineEmbedding(text, dimensions));
	}
	return vectors;
}

async function serviceVectors(
	generation: TextGeneration,
	model: string,
	texts: readonly string[],
	signal: AbortSignal,
	dimensions: number | undefined,
): Promise<readonly Float32Array[]> {
	const { GatewayEmbeddings } = await import('../../textGeneration/embeddings.ts');
	return new GatewayEmbeddings(generation).embed(model, texts, signal, dimensions);
}

/** Little-endian 32-bit floats, which both official SDKs ask for and read. */
function base64Of(vector: Float32Array): string {
	const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
	return (endianness() === 'LE' ? bytes : Buffer.from(bytes).swap32()).toString('base64');
}
