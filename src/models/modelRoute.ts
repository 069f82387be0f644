import type { TokenPrice } from '#contract/text/tokenPrice.ts';
import type { Provider, RouteConfig } from './routeConfig.ts';

/** A configured route, ready for use. */
export interface ModelRoute {
	/** Model name or pattern, as configured. */
	readonly pattern: string;
	readonly provider: Provider;
	/** Scheme, host and port of the upstream. Empty for `offline`. */
	readonly origin: string;
	/** Path prefix for the provider's paths, without a trailing slash. */
	readonly prefix: string;
	readonly upstreamModel?: string;
	/** Token limit of a reply. */
	readonly maxOutputTokens?: number;
	/** Context window in tokens, for prompt and reply together. */
	readonly contextTokens?: number;
	/** Models to try in order if this one fails. */
	readonly fallback: readonly string[];
	/** Number of retries before a fallback. */
	readonly retries: number;
	/** Timeout until the reply starts, in milliseconds. */
	readonly timeoutMs?: number;
	/** Maximum age of cached replies in milliseconds, and maximum size of the cache in bytes. */
	readonly cache?: { readonly maxAgeMs: number; readonly maxBytes: number };
	/** Price of one million tokens. */
	readonly price?: TokenPrice;
	/** Name of the key, for messages. */
	readonly keyName?: string;
	/** The key itself; absent if the route names a key that the gateway didn't get. */
	readonly key?: string;
	/** True if the key goes into `Authorization` instead of the provider's header. */
	readonly bearer: boolean;
	/** True if the service supports OpenAI's `/responses`, so that such requests are forwarded unchanged. */
	readonly responses: boolean;
}

/** Creates a route from its configuration. @param keys upstream keys by name */
export function createModelRoute(config: RouteConfig, keys: ReadonlyMap<string, string>): ModelRoute {
	const key = config.key === undefined ? undefined : keys.get(config.key);
	return {
		pattern: config.model,
		provider: config.provider,
		...resolveAddress(config),
		...(config.upstream_model !== undefined && { upstreamModel: config.upstream_model }),
		...(config.max_output_tokens !== undefined && { maxOutputTokens: config.max_output_tokens }),
		...(config.context_tokens !== undefined && { contextTokens: config.context_tokens }),
		fallback: config.fallback ?? [],
		retries: config.retries ?? 0,
		...(config.timeout !== undefined && { timeoutMs: config.timeout * 1000 }),
		...(config.cache && { cache: getCacheBounds(config.cache) }),
		...(config.price && { price: config.price }),
		...(config.key !== undefined && { keyName: config.key }),
		...(key !== undefined && { key }),
		bearer: config.auth === 'bearer',
		responses: config.responses === true,
	};
}

/** Returns the limits of a cache. Runs that request caching use the defaults. */
export function getCacheBounds(config: NonNullable<RouteConfig['cache']> = true): NonNullable<ModelRoute['cache']> {
	const { max_age_days: days, max_megabytes: megabytes } = typeof config === 'object' ? config : { max_age_days: 30, max_megabytes: 100 };
	return { maxAgeMs: days * 86_400_000, maxBytes: megabytes * 1024 * 1024 };
}

const defaultAddresses: Partial<Readonly<Record<Provider, string>>> = {
	anthropic: 'https://api.anthropic.com',
	google: 'https://generativelanguage.googleapis.com',
	ollama: 'http://127.0.0.1:11434',
};

/** Version at the end of a base URL, by provider. It's optional, because SDKs differ on that. */
const versionEndings: Partial<Readonly<Record<Provider, RegExp>>> = { anthropic: /\/v1$/, google: /\/v1beta$/, ollama: /\/v1$/ };

function resolveAddress({ provider, base_url }: RouteConfig): { origin: string; prefix: string } {
	const text = provider === 'offline' ? undefined : (base_url ?? defaultAddresses[provider]);
	if (text === undefined) {
		return { origin: '', prefix: '' };
	}
	const url = new URL(text);
	const path = url.pathname.replace(/(?<!\/)\/+$/, '');
	const ending = versionEndings[provider];
	return { origin: url.origin, prefix: ending ? path.replace(ending, '') : path };
}

/** True if a model name means the offline model: its name, or a variant with other behavior such as `offline-slow`. */
export function isOfflineName(model: string): boolean {
	return /^offline(?:-slow|-error-(?:\d{3}|overloaded))?$/.test(model);
}

/** Returns the name of the model that answers requests of a route. */
export function getAnsweringModel({ provider, upstreamModel }: ModelRoute, requested: string): string {
	return provider === 'offline' && !isOfflineName(requested) ? 'offline' : (upstreamModel ?? requested);
}

/** Returns the header that names the answering route, and the model if the route sets one. */
export function createRouteHeader({ pattern, provider, upstreamModel }: ModelRoute): Readonly<Record<string, string>> {
	const name = upstreamModel === undefined || provider === 'offline' ? pattern : `${pattern} ${upstreamModel}`;
	return { 'x-agent-workbench-route': name.replace(/[^ -~]/g, '?') };
}

/** Returns a warning if the offline model answered in place of the requested model. */
export function getStandInWarnings({ provider }: ModelRoute, requested: string): readonly string[] {
	return provider === 'offline' && !isOfflineName(requested)
		? [`The offline model replied instead of '${requested}'. It's built in and isn't a language model.`]
		: [];
}
