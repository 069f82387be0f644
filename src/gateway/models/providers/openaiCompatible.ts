import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderSettings } from './providerSettings.ts';

/** A model of a service with OpenAI's `/chat/completions`. */
export function providerModel({ model, base, key, fetch }: ProviderSettings): LanguageModelV4 {
	const provider = createOpenAICompatible({
		name: 'openaiCompatible',
		baseURL: base,
		fetch,
		includeUsage: true,
		supportsStructuredOutputs: true,
		...(key !== undefined && { apiKey: key }),
	});
	return provider(model);
}
