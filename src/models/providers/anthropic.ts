import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderSettings } from './providerSettings.ts';

/** Creates a model of Anthropic's API. Without a key, a placeholder is sent because the SDK requires one. */
export function createProviderModel({ model, base, key = 'none', bearer, fetch }: ProviderSettings): LanguageModelV4 {
	return createAnthropic({ baseURL: `${base}/v1`, fetch, ...(bearer ? { authToken: key } : { apiKey: key }) })(model);
}
