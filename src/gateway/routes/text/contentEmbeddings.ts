import type { BatchEmbedContentsResponse, EmbedContentResponse } from '#contract/text/contentEmbeddings.ts';
import { getStandInWarnings, type ModelRoute } from '#models/modelRoute.ts';
import type { Exchange } from '../../server/exchange.ts';
import type { TextGeneration } from '../../textGeneration/textGeneration.ts';

/**
 * Responds to `:embedContent` and `:batchEmbedContents` with a route to another service than Google's, which returns OpenAI-style
 * embeddings.
 */
export async function handleEmbedContent(
	generation: TextGeneration,
	exchange: Exchange,
	{ model, route }: { readonly model: string; readonly route: ModelRoute },
	isBatch: boolean,
): Promise<void> {
	const body = await exchange.readRawJson();
	const [{ readBatchEmbedContents, readEmbedContent }, { embedTexts }, { createWarningHeader: warningHeader }] = await Promise.all([
		import('#models/translate/content/embedRequest.ts'),
		import('../../textGeneration/embedTexts.ts'),
		import('#models/translate/warningHeader.ts'),
	]);
	const { texts, dimensions, lost } = isBatch ? readBatchEmbedContents(body, model) : readEmbedContent(body, model);
	const { vectors, tokens } = await embedTexts(generation, { route, model, texts, dimensions }, exchange.signal);
	const [first = { values: [] }, ...rest] = vectors.map(vector => ({ values: Array.from(vector) }));
	const usageMetadata = { promptTokenCount: tokens };
	const response: EmbedContentResponse | BatchEmbedContentsResponse = isBatch
		? { embeddings: [first, ...rest], usageMetadata }
		: { embedding: first, usageMetadata };
	exchange.sendJson(200, response, warningHeader([...getStandInWarnings(route, model), ...lost]));
}

/** Returns the body of an embeddings request with the upstream's model name, which Google also requires in each request of a batch. */
export function renameEmbeddedModel(body: Buffer, model: string): Buffer {
	const renameModel = (request: unknown) => ({ ...(request as object), model: `models/${model.replace(/^models\//, '')}` });
	try {
		const request = JSON.parse(body.toString()) as { requests?: unknown };
		const { requests } = request;
		return Buffer.from(
			JSON.stringify(Array.isArray(requests) ? { ...request, requests: requests.map(renameModel) } : renameModel(request)),
		);
	} catch {
		// it isn't JSON, so Google will reject it
		return body;
	}
}
