import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { hashContent } from '#base/files/contentHash.ts';
import { getField, getItems } from '#base/records/plainValues.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { awaitProvider, toModelFault } from '#models/modelFault.ts';
import type { ModelRoute } from '#models/modelRoute.ts';
import { getRouteKey } from '#models/upstreamRequest.ts';
import type { TextGeneration } from './textGeneration.ts';

/** Converts texts to vectors with an embedding model of the routing table. */
export interface Embeddings {
	/**
	 * Returns one vector per text, all of the same length. Rejects with a message that names the service and the problem. Stops if the signal
	 * aborts.
	 */
	embedTexts(model: string, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
	/** Returns a name that changes if the model's route leads to another service or model: vectors of two models can't be compared. */
	identifyModel(model: string): string;
}

/** Embeddings from the routes' upstreams, which are called with the AI SDK's providers. */
export class GatewayEmbeddings implements Embeddings {
	readonly #generation: TextGeneration;

	constructor(generation: TextGeneration) {
		this.#generation = generation;
	}

	identifyModel(model: string): string {
		const route = this.#generation.table.findRoute(model);
		return route
			? `${model} at ${hashContent([route.provider, route.origin, route.prefix, route.upstreamModel ?? model]).slice(0, 8)}`
			: model;
	}

	/** @param dimensions length of the vectors, if it differs from the model's default */
	async embedTexts(model: string, texts: readonly string[], signal: AbortSignal, dimensions?: number): Promise<readonly Float32Array[]> {
		const route = this.#generation.table.getRoute(model);
		try {
			const embedding = await createEmbeddingModel(route, model, this.#generation.fetch);
			const most = (await embedding.maxEmbeddingsPerCall) ?? texts.length;
			const vectors: number[][] = [];
			for (let at = 0; at < texts.length; at += most) {
				const { embeddings, response } = await awaitProvider(
					embedding.doEmbed({
						values: texts.slice(at, at + most),
						abortSignal: signal,
						...(dimensions !== undefined && { dimensions }),
					}),
					route,
				);
				for (const vector of sortByIndex(embeddings, response?.body)) {
					vectors.push(vector);
				}
			}
			return checkVectors(model, vectors, texts.length);
		} catch (error) {
			signal.throwIfAborted();
			throw toModelFault(error, route);
		}
	}
}

async function createEmbeddingModel(route: ModelRoute, requested: string, fetch: typeof globalThis.fetch): Promise<EmbeddingModelV4> {
	const key = getRouteKey(route);
	const base = route.origin + route.prefix;
	const settings = {
		model: route.upstreamModel ?? requested,
		bearer: route.bearer,
		fetch,
		onLost: () => {},
		...(key !== undefined && { key }),
	};
	switch (route.provider) {
		case 'google':
			return (await import('#models/providers/google.ts')).createProviderEmbeddingModel({ ...settings, base });
		case 'openai-compatible':
			return (await import('#models/providers/openaiCompatible.ts')).createProviderEmbeddingModel({ ...settings, base });
		case 'ollama':
			return (await import('#models/providers/openaiCompatible.ts')).createProviderEmbeddingModel({ ...settings, base: `${base}/v1` });
		default:
			throw new ServiceFault(
				400,
				localizable`The model '${requested}' doesn't support embeddings. Use a route with the provider openai-compatible, ollama or google.`,
			);
	}
}

/**
 * Returns the vectors of a reply in the order of the texts. Services with OpenAI's protocol may send them in another order with an `index`,
 * which the AI SDK ignores. Vectors without valid indexes stay in their order.
 */
function sortByIndex<T>(vectors: readonly T[], body: unknown): readonly T[] {
	const sorted: T[] = [];
	for (const [i, item] of getItems(body, 'data').entries()) {
		const index = getField(item, 'index');
		const vector = vectors[i];
		if (typeof index !== 'number' || vectors[index] === undefined || sorted[index] !== undefined || vector === undefined) {
			return vectors;
		}
		sorted[index] = vector;
	}
	return sorted.length === vectors.length ? sorted : vectors;
}

function checkVectors(model: string, embeddings: readonly (readonly number[])[], expected: number): readonly Float32Array[] {
	const length = embeddings[0]?.length ?? 0;
	const right = embeddings.length === expected && length > 0 && embeddings.every(each => each.length === length && each.every(isFloat));
	if (!right) {
		throw new ServiceFault(502, localizable`The model '${model}' didn't return one vector for each text, or the vectors differ in length.`);
	}
	return embeddings.map(each => Float32Array.from(each));
}

/** True for a number that is still finite in 32 bits. An infinite one would make all similarities of its vector invalid. */
function isFloat(value: number): boolean {
	return Number.isFinite(Math.fround(value));
}
