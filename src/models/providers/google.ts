import { createGoogle } from '@ai-sdk/google';
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderSettings } from './providerSettings.ts';

/** Creates a model of the Gemini API. Without a key, a placeholder is sent because the SDK requires one. */
export function createProviderModel(settings: ProviderSettings): LanguageModelV4 {
	return createProvider(settings)(getModelName(settings));
}

export function createProviderEmbeddingModel(settings: ProviderSettings): EmbeddingModelV4 {
	return createProvider(settings).embeddingModel(getModelName(settings));
}

function createProvider({ base, key = 'none', bearer, fetch }: ProviderSettings): ReturnType<typeof createGoogle> {
	const headers = bearer ? { authorization: `Bearer ${key}`, 'x-goog-api-key': undefined } : {};
	return createGoogle({ baseURL: `${base}/v1beta`, fetch, apiKey: key, headers });
}

function getModelName({ model }: ProviderSettings): string {
	return model.replace(/^models\//, '');
}
