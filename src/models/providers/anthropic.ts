import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderSettings } from './providerSettings.ts';

/** A model of Anthropic's API. Without a key some text is sent: local servers ask for none, and the SDK insists on one. */
export function providerModel({ model, base, key = 'none', bearer, fetch }: ProviderSettings): LanguageModelV4 {
	return createAnthropic({ baseURL: `${base}/v1`, fetch, ...(bearer ? { authToken: key } : { apiKey: key }) })(model);
}
