import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelRoute } from './modelRoute.ts';
import { completeEventStreams } from './providers/eventStreamEnd.ts';
import type { ProviderSettings } from './providers/providerSettings.ts';
import { getRouteKey } from './upstreamRequest.ts';

/**
 * Creates the language model of a route with the AI SDK's providers. Their `doGenerate` and `doStream` are called directly, because
 * `streamText` retries, merges and renames what callers of this gateway must see unchanged. Providers load on first use, from separate
 * bundles (esbuild.mjs). Throws an error if the route's key is missing.
 * @param requested the name that the caller used
 * @param lost called with a description of what the service refused in a request
 */
export async function createLanguageModel(
	route: ModelRoute,
	requested: string,
	fetch: typeof globalThis.fetch,
	lost: (sentence: string) => void,
): Promise<LanguageModelV4> {
	const key = getRouteKey(route);
	const settings: ProviderSettings = {
		model: route.upstreamModel ?? requested,
		base: route.origin + route.prefix,
		bearer: route.bearer,
		fetch: completeEventStreams(fetch),
		onLost: lost,
		...(key !== undefined && { key }),
	};
	switch (route.provider) {
		case 'offline': {
			const { OfflineModel } = await import('./offline/offlineModel.ts');
			return new OfflineModel(settings.model);
		}
		case 'anthropic':
			return (await import('./providers/anthropic.ts')).createProviderModel(settings);
		case 'google':
			return (await import('./providers/google.ts')).createProviderModel(settings);
		case 'openai-compatible':
			return (await import('./providers/openaiCompatible.ts')).createProviderModel(settings);
		case 'ollama':
			return (await import('./providers/openaiCompatible.ts')).createProviderModel({ ...settings, base: `${settings.base}/v1` });
	}
}
