import net from 'node:net';
import tls from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import type Dispatcher from 'undici/types/dispatcher';
import { ServiceError } from './serviceError.ts';

/** How a client reaches its service. The editor hands in its `http.*` settings; whoever has none leaves them out. */
export interface NetworkOptions {
	/** `http.proxy`: goes before the proxy variables of the environment. */
	readonly proxy?: string;
	/** `http.noProxy`: goes before the variable `NO_PROXY`. Host names, `.suffixes`, `host:port`, addresses, CIDR ranges, `*`. */
	readonly noProxy?: readonly string[];
	/** `http.proxyStrictSSL`, default true: false accepts any certificate, of proxy and service. */
	readonly strictSSL?: boolean;
	/** Where the proxy variables stand; default `process.env`. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
	readonly timeouts?: Partial<Timeouts>;
}

/** Milliseconds; 0 for none. */
export interface Timeouts {
	/** Until a connection stands. */
	readonly connect: number;
	/** Until a plain answer begins. */
	readonly reply: number;
	/** Until the answer of a request that works (a blocking run) begins. */
	readonly work: number;
	/** Silence in a stream that has pings: three missed ones by default (contract, "Limits"). */
	readonly idle: number;
	/** Silence in a stream whose service promises no pings (C, D, E). */
	readonly quiet: number;
}

/** 30 minutes for work: the longest run of the services known takes 20 (wire facts 1.1, "run limit"). */
export const defaultTimeouts: Timeouts = { connect: 10_000, reply: 60_000, work: 1_800_000, idle: 30_000, quiet: 300_000 };

/**
 * A dispatcher of our own for one origin. HTTP/1.1 only: a stream then has a connection to itself, and ending it ends nothing else.
 * Throws a {@link ServiceError} `invalid-request` on a proxy that is no URL.
 */
export function createDispatcher(origin: URL, options: NetworkOptions): Dispatcher {
	const connectTimeout = options.timeouts?.connect ?? defaultTimeouts.connect;
	const secure = origin.protocol === 'https:';
	const proxy = proxyFor(origin, options);
	const trust = secure || proxy?.protocol === 'https:' ? trustOptions(options.strictSSL ?? true) : {};
	const common = { allowH2: false, connectTimeout };
	if (proxy === undefined) {
		return new Agent({ ...common, connect: { ...trust, timeout: connectTimeout } });
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
	const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
	return { uri: `${proxy.protocol}//${proxy.host}`, token: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** The proxy for an origin, or `undefined` for a direct connection. Loopback never goes through a proxy. */
export function proxyFor(origin: URL, options: NetworkOptions): URL | undefined {
	const environment = options.environment ?? process.env;
	const variable = (name: string) => environment[name.toLowerCase()] || environment[name];
	const proxy =
		options.proxy || variable(origin.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || variable('ALL_PROXY') || undefined;
	if (proxy === undefined || isLoopback(origin.hostname)) {
		return undefined;
	}
	const exceptions = options.noProxy?.length ? options.noProxy : (variable('NO_PROXY') ?? '').split(/[\s,]+/);
	return exceptions.some(exception => matches(exception, origin)) ? undefined : parseProxy(proxy);
}

function parseProxy(text: string): URL {
	const url = text.includes('://') ? text : `http://${text}`;
	// the text can hold a password: it is not shown
	if (!URL.canParse(url) || !/^(https?|socks5?):$/.test(new URL(url).protocol)) {
		throw new ServiceError(
			'invalid-request',
			'The proxy of the settings or the environment must be a URL: http://, https:// or socks5://.',
			{
				field: 'proxy',
			},
		);
	}
	return new URL(url);
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function matches(exception: string, origin: URL): boolean {
	const rule = exception.trim().toLowerCase();
	if (rule === '' || rule === '*') {
		return rule === '*';
	}
	const address = origin.hostname.replace(/^\[|\]$/g, '');
	const family = net.isIP(address);
	const [network, bits] = rule.split('/');
	if (bits !== undefined && family !== 0 && net.isIP(network!) === family) {
		const range = new net.BlockList();
		range.addSubnet(network!, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
		return range.check(address, family === 6 ? 'ipv6' : 'ipv4');
	}
	const port = /^(.*):(\d+)$/.exec(rule);
	if (port && net.isIP(rule) === 0) {
		const given = origin.port || (origin.protocol === 'https:' ? '443' : '80');
		return port[2] === given && matches(port[1]!, origin);
	}
	const name = rule.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
	return address === name || (family === 0 && address.endsWith(`.${name}`));
}

function trustOptions(strictSSL: boolean): { secureContext: tls.SecureContext; rejectUnauthorized: boolean } {
	// one context for all connections: reading some hundred certificates takes tens of milliseconds
	const ca = [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
	return { secureContext: tls.createSecureContext({ ca }), rejectUnauthorized: strictSSL };
}
