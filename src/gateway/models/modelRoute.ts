import type { Provider, RouteConfig } from '../config.ts';

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
	/** Most tokens of one reply, on translated routes. */
	readonly maxOutputTokens?: number;
	/** Tokens that the model takes, prompt and reply together. */
	readonly contextTokens?: number;
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
		...(config.key !== undefined && { keyName: config.key }),
		...(key !== undefined && { key }),
		bearer: config.auth === 'bearer',
		responses: config.responses === true,
	};
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
	const path = url.pathname.replace(/\/+$/, '');
	const ending = versionEndings[provider];
	return { origin: url.origin, prefix: ending ? path.replace(ending, '') : path };
}
