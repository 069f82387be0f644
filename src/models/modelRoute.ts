import type { PriceConfig, Provider, RouteConfig } from './routeConfig.ts';

/** A route of the table, ready for use. */
export interface ModelRoute {
	/** Model name or pattern, as configured. */
	readonly pattern: string;
	readonly provider: Provider;
	/** Scheme, host and port of the upstream. Empty for `offline`. */
	readonly origin: string;
	/** Path that the provider's own paths are appended to, without a slash at its end. */
	readonly prefix: string;
	readonly upstreamModel?: string;
	/** Most tokens of one reply. */
	readonly maxOutputTokens?: number;
	/** Tokens that the model takes, prompt and reply together. */
	readonly contextTokens?: number;
	/** Models to ask in place of this one while it fails, in order. */
	readonly fallback: readonly string[];
	/** How often it is asked again before that. */
	readonly retries: number;
	/** Milliseconds until its reply has to begin. */
	readonly timeoutMs?: number;
	/** Replies are kept for so many milliseconds, as many as have so many bytes. */
	readonly cache?: { readonly maxAgeMs: number; readonly maxBytes: number };
	/** Of a million tokens. */
	readonly price?: PriceConfig;
	/** Name of the key, for messages. */
	readonly keyName?: string;
	/** The key itself; absent although named: the gateway was not given it. */
	readonly key?: string;
	/** Whether the key goes into `Authorization` instead of the provider's own header. */
	readonly bearer: boolean;
	/** Whether the service has OpenAI's `/responses`, so that such requests go through as they are. */
	readonly responses: boolean;
}

/** Makes a route of its configuration. `keys`: upstream keys by name. */
export function modelRoute(config: RouteConfig, keys: ReadonlyMap<string, string>): ModelRoute {
	const key = config.key === undefined ? undefined : keys.get(config.key);
	return {
		pattern: config.model,
		provider: config.provider,
		...address(config),
		...(config.upstream_model !== undefined && { upstreamModel: config.upstream_model }),
		...(config.max_output_tokens !== undefined && { maxOutputTokens: config.max_output_tokens }),
		...(config.context_tokens !== undefined && { contextTokens: config.context_tokens }),
		fallback: config.fallback ?? [],
		retries: config.retries ?? 0,
		...(config.timeout !== undefined && { timeoutMs: config.timeout * 1000 }),
		...(config.cache && { cache: cacheBounds(config.cache) }),
		...(config.price && { price: config.price }),
		...(config.key !== undefined && { keyName: config.key }),
		...(key !== undefined && { key }),
		bearer: config.auth === 'bearer',
		responses: config.responses === true,
	};
}

/** Bounds of a cache; those where nothing is said otherwise hold for runs that ask for one on their own, too. */
export function cacheBounds(config: NonNullable<RouteConfig['cache']> = true): NonNullable<ModelRoute['cache']> {
	const { max_age_days: days, max_megabytes: megabytes } = typeof config === 'object' ? config : { max_age_days: 30, max_megabytes: 100 };
	return { maxAgeMs: days * 86_400_000, maxBytes: megabytes * 1024 * 1024 };
}

const defaultAddresses: Partial<Readonly<Record<Provider, string>>> = {
	anthropic: 'https://api.anthropic.com',
	google: 'https://generativelanguage.googleapis.com',
	ollama: 'http://127.0.0.1:11434',
};

/** SDKs differ on whether the version belongs to the base address, so people write both. */
const versionEndings: Partial<Readonly<Record<Provider, RegExp>>> = { anthropic: /\/v1$/, google: /\/v1beta$/, ollama: /\/v1$/ };

function address({ provider, base_url }: RouteConfig): { origin: string; prefix: string } {
	const text = provider === 'offline' ? undefined : (base_url ?? defaultAddresses[provider]);
	if (text === undefined) {
		return { origin: '', prefix: '' };
	}
	const url = new URL(text);
	const path = url.pathname.replace(/(?<!\/)\/+$/, '');
	const ending = versionEndings[provider];
	return { origin: url.origin, prefix: ending ? path.replace(ending, '') : path };
}

/** Whether a model name means the offline model itself: its name, or one by which it behaves in another way. */
export function isOfflineName(model: string): boolean {
	return /^offline(?:-slow|-error-(?:\d{3}|overloaded))?$/.test(model);
}

/** Name of the model that answers by a route, for the caller's name of it. */
export function answeringModel({ provider, upstreamModel }: ModelRoute, requested: string): string {
	return provider === 'offline' && !isOfflineName(requested) ? 'offline' : (upstreamModel ?? requested);
}

/** The header that names the route that answered, and the model there if the route sets it. */
export function routeHeader({ pattern, provider, upstreamModel }: ModelRoute): Readonly<Record<string, string>> {
	const name = upstreamModel === undefined || provider === 'offline' ? pattern : `${pattern} ${upstreamModel}`;
	return { 'x-agent-workbench-route': name.replace(/[^ -~]/g, '?') };
}

/** What a caller is warned of if the offline model answered in place of the model it asked for. */
export function standInWarnings({ provider }: ModelRoute, requested: string): readonly string[] {
	return provider === 'offline' && !isOfflineName(requested)
		? [`The offline model answered in place of '${requested}': it is built in and not a language model.`]
		: [];
}
