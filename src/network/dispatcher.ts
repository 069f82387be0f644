import type { LookupFunction } from 'node:net';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type Dispatcher from 'undici/types/dispatcher';
import { getTrustOptions } from './certificates.ts';
import { limitHeadTime } from './headTimeLimit.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { findProxy, tryPercentDecode } from './proxies.ts';

/** How to make connections. */
interface ConnectOptions {
	/** Time limit for connecting in milliseconds. 0 for none. */
	readonly connectTimeout: number;
	/** Replaces the system's name lookup for services, but not for proxies. */
	readonly lookup?: LookupFunction;
}

/**
 * Creates a dispatcher for one origin. Uses only HTTP/1.1, so that each stream has a separate connection and closing one doesn't affect
 * others.
 * @throws {ProxyAddressError}
 */
export function createDispatcher(origin: URL, settings: NetworkSettings, { connectTimeout, lookup }: ConnectOptions): Dispatcher {
	const secure = origin.protocol === 'https:';
	const proxy = findProxy(origin, settings);
	const trust = secure || proxy?.protocol === 'https:' ? getTrustOptions(settings.strictSSL ?? true) : {};
	const common = { allowH2: false, connectTimeout };
	if (proxy === undefined) {
		return new Agent({ ...common, connect: { ...trust, timeout: connectTimeout, ...(lookup && { lookup }) } }).compose(limitHeadTime);
	}
	return new ProxyAgent({
		...common,
		...toProxyAddress(proxy),
		// importing the index would replace `connect`, used for tunnels, on every dispatcher
		clientFactory: (url, poolOptions) => Object.assign(new Pool(url, { ...poolOptions, headersTimeout: connectTimeout }), { connect }),
		// the mere presence of these options makes undici use TLS to a SOCKS proxy
		...(proxy.protocol === 'https:' && { proxyTls: trust }),
		requestTls: trust,
	}).compose(limitHeadTime);
}

function toProxyAddress(proxy: URL): { uri: string; token?: string } {
	if (proxy.protocol.startsWith('socks') || proxy.username === '') {
		return { uri: proxy.href };
	}
	const credentials = `${tryPercentDecode(proxy.username)}:${tryPercentDecode(proxy.password)}`;
	return { uri: `${proxy.protocol}//${proxy.host}`, token: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
