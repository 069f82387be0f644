import type { ModelRoute } from '#models/modelRoute.ts';
import type { TextGeneration } from './textGeneration.ts';

/** Texts to embed, and who embeds them. */
interface EmbeddingTask {
	readonly route: ModelRoute;
	/** As the caller wrote it. */
	readonly model: string;
	readonly texts: readonly string[];
	/** Length of the vectors; that of the model by default. */
	readonly dimensions?: number | undefined;
}

/** Vectors of texts, and the tokens that the texts have. */
interface EmbeddedTexts {
	readonly vectors: readonly Float32Array[];
	readonly tokens: number;
}

/** Embeds texts for a caller of any protocol: by the service behind the route, or as hashed words by the offline model. Throws the service's fault. */
export async function embedTexts(
	generation: TextGeneration,
	{ route, model, texts, dimensions }: EmbeddingTask,
	signal: AbortSignal,
): Promise<EmbeddedTexts> {
	const { countTokens } = await import('#models/offline/offlineTokens.ts');
	const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
	if (route.provider !== 'offline') {
		const { GatewayEmbeddings } = await import('./embeddings.ts');
		return { vectors: await new GatewayEmbeddings(generation).embed(model, texts, signal, dimensions), tokens };
	}
	const { offlineEmbedding } = await import('#models/offline/offlineEmbeddings.ts');
	const vectors: Float32Array[] = [];
	for (const text of texts) {
		vectors.push(await offlineEmbedding(text, dimensions));
	}
	return { vectors, tokens };
}
