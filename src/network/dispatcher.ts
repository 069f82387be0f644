import type { LookupFunction } from 'node:net';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type Dispatcher from 'undici/types/dispatcher';
import { trustOptions } from './certificates.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { decoded, proxyFor } from './proxies.ts';

/** How connections are made. */
interface ConnectOptions {
	/** Milliseconds until a connection stands; 0 for no limit. */
	readonly connectTimeout: number;
	/** Looks up the names of services in place of the system's way; those of proxies are looked up by the system. */
	readonly lookup?: LookupFunction;
}

/**
 * A dispatcher of our own for one origin. HTTP/1.1 only: a stream then has a connection to itself, and ending it ends nothing else.
 * @throws {ProxyAddressError}
 */
export function createDispatcher(origin: URL, settings: NetworkSettings, { connectTimeout, lookup }: ConnectOptions): Dispatcher {
	const secure = origin.protocol === 'https:';
	const proxy = proxyFor(origin, settings);
	const trust = secure || proxy?.protocol === 'https:' ? trustOptions(settings.strictSSL ?? true) : {};
	const common = { allowH2: false, connectTimeout };
	if (proxy === undefined) {
		return new Agent({ ...common, connect: { ...trust, timeout: connectTimeout, ...(lookup && { lookup }) } });
	}
	return new ProxyAgent({
		...common,
		...proxyAddress(proxy),
		// the index would put `connect`, with which tunnels are made, on every dispatcher
		clientFactory: (url, poolOptions) => Object.assign(new Pool(url, poolOptions), { connect }),
		// merely to have these options means TLS to a SOCKS proxy
		...(proxy.protocol === 'https:' && { proxyTls: trust }),
		requestTls: trust,
	});
}

function proxyAddress(proxy: URL): { uri: string; token?: string } {
	if (proxy.protocol.startsWith('socks') || proxy.username === '') {
		return { uri: proxy.href };
	}
	const credentials = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
	return { uri: `${proxy.protocol}//${proxy.host}`, token: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
