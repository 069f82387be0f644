import type { IncomingHttpHeaders } from 'node:http';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ModelRoute } from './modelRoute.ts';
import type { Provider } from './routeConfig.ts';

/** Key of a route; undefined where the route needs none. Throws a fault where one is named but was not given to the gateway. */
export function keyOf(route: ModelRoute): string | undefined {
	if (route.keyName !== undefined && route.key === undefined) {
		throw new ServiceFault(
			401,
			`The route ${route.pattern} needs the key ${route.keyName}, which the gateway does not have: give it in the key file or on stdin.`,
		);
	}
	return route.key;
}

/**
 * The caller's headers as they go upstream: without those of the connection and without the caller's credentials, and with the route's key in
 * their place. For `anthropic` the contract's `provider-version` becomes `anthropic-version`.
 */
export function upstreamHeaders(route: ModelRoute, headers: IncomingHttpHeaders): Record<string, string> {
	const sent = forwardedHeaders(headers);
	if (route.provider === 'anthropic') {
		sent['anthropic-version'] ??= String(headers['provider-version']);
	}
	const key = keyOf(route);
	if (key !== undefined) {
		const header = keyHeaders[route.provider];
		if (route.bearer || header === undefined) {
			sent['authorization'] = `Bearer ${key}`;
		} else {
			sent[header] = key;
		}
	}
	return sent;
}

/** The caller's headers that go upstream as they are. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	const sent: Record<string, string> = {};
	for (const name in headers) {
		const value = headers[name];
		if (!notForwarded.has(name) && value !== undefined) {
			sent[name] = typeof value === 'string' ? value : value.join(', ');
		}
	}
	return sent;
}

/** Providers' own headers for keys; the others have `Authorization`. */
const keyHeaders: Partial<Readonly<Record<Provider, string>>> = { anthropic: 'x-api-key', google: 'x-goog-api-key' };

/** A query as it goes upstream: the caller's, without its key. */
export function upstreamQuery(search: string): string {
	const kept = withoutKeyParameter(search);
	return kept === '' ? '' : `?${kept}`;
}

/** A query without the caller's key, whose name may be percent-encoded. Other parameters keep their bytes. */
export function withoutKeyParameter(search: string): string {
	return search
		.split('&')
		.filter(pair => pair !== '' && !new URLSearchParams(pair).has('key'))
		.join('&');
}

const notForwarded = new Set([
	'host',
	'connection',
	'keep-alive',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'expect',
	'content-length',
	'cookie',
	'x-api-key',
	'x-goog-api-key',
	'api-key',
	'authorization',
	'provider-version',
	// of the caller's web page
	'origin',
	'referer',
]);
