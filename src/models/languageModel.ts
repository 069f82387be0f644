import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelRoute } from './modelRoute.ts';
import { endedStreams } from './providers/eventStreamEnd.ts';
import type { ProviderSettings } from './providers/providerSettings.ts';
import { keyOf } from './upstreamRequest.ts';

/**
 * The language model behind a route, through the AI SDK's providers. Their `doGenerate` and `doStream` are called directly: the layer above (`streamText`)
 * retries, merges and renames what callers of this gateway want to see as it is. Providers load when first needed, from bundles of their own
 * (esbuild.mjs). `requested`: the name that the caller used; `lost` hears in a sentence what
 * of a request the service did not take. Throws a fault where the route's key is missing.
 */
export async function languageModel(
	route: ModelRoute,
	requested: string,
	fetch: typeof globalThis.fetch,
	lost: (sentence: string) => void,
): Promise<LanguageModelV4> {
	const key = keyOf(route);
	const settings: ProviderSettings = {
		model: route.upstreamModel ?? requested,
		base: route.origin + route.prefix,
		bearer: route.bearer,
		fetch: endedStreams(fetch),
		lost,
		...(key !== undefined && { key }),
	};
	switch (route.provider) {
		case 'offline': {
			const { OfflineModel } = await import('./offline/offlineModel.ts');
			return new OfflineModel(settings.model);
		}
		case 'anthropic':
			return (await import('./providers/anthropic.ts')).providerModel(settings);
		case 'google':
			return (await import('./providers/google.ts')).providerModel(settings);
		case 'openai-compatible':
			return (await import('./providers/openaiCompatible.ts')).providerModel(settings);
		case 'ollama':
			return (await import('./providers/openaiCompatible.ts')).providerModel({ ...settings, base: `${settings.base}/v1` });
	}
}
