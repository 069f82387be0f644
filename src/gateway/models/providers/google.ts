import { createGoogle } from '@ai-sdk/google';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderSettings } from './providerSettings.ts';

/** A model of the Gemini API. Without a key some text is sent: the SDK insists on one. */
export function providerModel({ model, base, key = 'none', bearer, fetch }: ProviderSettings): LanguageModelV4 {
	const headers = bearer ? { authorization: `Bearer ${key}`, 'x-goog-api-key': undefined } : {};
	return createGoogle({ baseURL: `${base}/v1beta`, fetch, apiKey: key, headers })(model.replace(/^models\//, ''));
}
