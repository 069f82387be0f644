import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import type { TextGeneration } from './textGeneration.ts';

/** Maximum count of numbers in all vectors of a response. Writing more of them as JSON takes seconds, and a short request can ask for them. */
const mostNumbers = 4_000_000;

/** Texts to embed, and the model for it. */
interface EmbeddingTask {
	readonly route: ModelRoute;
	/** The model as the caller wrote it. */
	readonly model: string;
	readonly texts: readonly string[];
	/** Length of the vectors; undefined for the model's default. */
	readonly dimensions?: number | undefined;
}

/** Vectors of texts, and the number of tokens in the texts. */
interface EmbeddedTexts {
	readonly vectors: readonly Float32Array[];
	readonly tokens: number;
}

/**
 * Embeds texts for a caller of any protocol, with the upstream of the route or the offline model's word hashes. Throws the upstream's
 * error.
 */
export async function embedTexts(
	generation: TextGeneration,
	{ route, model, texts, dimensions }: EmbeddingTask,
	signal: AbortSignal,
): Promise<EmbeddedTexts> {
	const { countTokens } = await import('#models/offline/offlineTokens.ts');
	const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
	if (route.provider !== 'offline') {
		const { GatewayEmbeddings } = await import('./embeddings.ts');
		return { vectors: await new GatewayEmbeddings(generation).embedTexts(model, texts, signal, dimensions), tokens };
	}
	if (dimensions !== undefined && texts.length * dimensions > mostNumbers) {
		throw new ServiceFault(
			400,
			`Invalid 'dimensions': ${texts.length} vectors of ${dimensions} numbers are too long for one response. The limit is ${mostNumbers} numbers.`,
			{ params: 'dimensions' },
		);
	}
	const { createOfflineEmbedding: offlineEmbedding } = await import('#models/offline/offlineEmbeddings.ts');
	const vectors: Float32Array[] = [];
	for (const text of texts) {
		vectors.push(await offlineEmbedding(text, dimensions));
		await nextTurn();
	}
	return { vectors, tokens };
}
