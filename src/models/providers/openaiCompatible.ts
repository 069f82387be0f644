import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';
import { createCallLimiter, limitEventObjects } from './callLimits.ts';
import { createTolerantFetch } from './openaiDialects.ts';
import type { ProviderSettings } from './providerSettings.ts';

/** Creates a model of a service with OpenAI's `/chat/completions`. */
export function createProviderModel({ model, base, key, fetch, onLost }: ProviderSettings): LanguageModelV4 {
	const provider = createOpenAICompatible({
		name: 'openaiCompatible',
		baseURL: base,
		fetch: createTolerantFetch(limitEventObjects(fetch), onLost),
		includeUsage: true,
		supportsStructuredOutputs: true,
		...(key !== undefined && { apiKey: key }),
	});
	const languageModel = provider(model);
	const doStream = languageModel.doStream.bind(languageModel);
	languageModel.doStream = async options => {
		const { stream, ...result } = await doStream(options);
		return { ...result, stream: stream.pipeThrough(createCallLimiter()) };
	};
	return languageModel;
}

/** Creates an embedding model of a service with OpenAI's `/embeddings`. */
export function createProviderEmbeddingModel({ model, base, key, fetch }: ProviderSettings): EmbeddingModelV4 {
	const provider = createOpenAICompatible({ name: 'openaiCompatible', baseURL: base, fetch, ...(key !== undefined && { apiKey: key }) });
	return provider.embeddingModel(model);
}
