import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { awaitProvider, modelFault } from '#models/modelFault.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { keyOf } from '#models/upstreamRequest.ts';
import type { TextGeneration } from './textGeneration.ts';

/** Texts as vectors, by an embedding model of the routing table. */
export interface Embeddings {
	/** One vector a text, all of one length. Rejects with a sentence that names the service and what is wrong; stops when the signal aborts. */
	embed(model: string, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** Embeddings by the services behind the routes, through the AI SDK's providers. */
export class GatewayEmbeddings implements Embeddings {
	readonly #generation: TextGeneration;

	constructor(generation: TextGeneration) {
		this.#generation = generation;
	}

	/** `dimensions`: length of the vectors, where it is not to be the model's own. */
	async embed(model: string, texts: readonly string[], signal: AbortSignal, dimensions?: number): Promise<readonly Float32Array[]> {
		const route = this.#generation.table.routeOf(model);
		try {
			const embedding = await embeddingModel(route, model, this.#generation.fetch);
			const most = (await embedding.maxEmbeddingsPerCall) ?? texts.length;
			const vectors: number[][] = [];
			for (let at = 0; at < texts.length; at += most) {
				const { embeddings } = await awaitProvider(
					embedding.doEmbed({
						values: texts.slice(at, at + most),
						abortSignal: signal,
						...(dimensions !== undefined && { dimensions }),
					}),
					route,
				);
				for (const vector of embeddings) {
					vectors.push(vector);
				}
			}
			return checked(model, vectors, texts.length);
		} catch (error) {
			signal.throwIfAborted();
			throw modelFault(error, route);
		}
	}
}

async function embeddingModel(route: ModelRoute, requested: string, fetch: typeof globalThis.fetch): Promise<EmbeddingModelV4> {
	const key = keyOf(route);
	const base = route.origin + route.prefix;
	const settings = {
		model: route.upstreamModel ?? requested,
		bearer: route.bearer,
		fetch,
		lost: () => {},
		...(key !== undefined && { key }),
	};
	switch (route.provider) {
		case 'google':
			return (await import('#models/providers/google.ts')).embeddingModel({ ...settings, base });
		case 'openai-compatible':
			return (await import('#models/providers/openaiCompatible.ts')).embeddingModel({ ...settings, base });
		case 'ollama':
			return (await import('#models/providers/openaiCompatible.ts')).embeddingModel({ ...settings, base: `${base}/v1` });
		default:
			throw new ServiceFault(
				400,
				`The model "${requested}" gives no embeddings: expected a route to it with the provider openai-compatible, ollama or google.`,
			);
	}
}

function checked(model: string, embeddings: readonly (readonly number[])[], expected: number): readonly Float32Array[] {
	const length = embeddings[0]?.length ?? 0;
	const right =
		embeddings.length === expected && length > 0 && embeddings.every(each => each.length === length && each.every(Number.isFinite));
	if (!right) {
		throw new ServiceFault(502, `The model "${model}" answered without one vector of numbers for each text, all of one length.`);
	}
	return embeddings.map(each => Float32Array.from(each));
}
