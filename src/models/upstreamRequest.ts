import type { IncomingHttpHeaders } from 'node:http';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { recordingHeader } from '#contract/recordings/scanRecording.ts';
import { keepKnownEncodings } from './compression.ts';
import type { ModelRoute } from './modelRoute.ts';
import type { Provider } from './routeConfig.ts';

/** Returns the key of a route; undefined if it needs none. Throws an error if the gateway doesn't have the named key. */
export function getRouteKey(route: ModelRoute): string | undefined {
	if (route.keyName !== undefined && route.key === undefined) {
		throw new ServiceFault(
			401,
			localizable`The route '${route.pattern}' needs the key '${route.keyName}', which the gateway doesn't have. Set it with 'Set Upstream Key…' or in the key file.`,
		);
	}
	return route.key;
}

/**
 * Creates the headers for the upstream: the caller's headers without those of the connection and its credentials, plus the route's key. For
 * `anthropic`, the contract's `provider-version` becomes `anthropic-version`.
 */
export function createUpstreamHeaders(route: ModelRoute, headers: IncomingHttpHeaders): Record<string, string> {
	const sent = getForwardedHeaders(headers);
	if (route.provider === 'anthropic') {
		sent['anthropic-version'] ??= String(headers['provider-version']);
	}
	const key = getRouteKey(route);
	if (key !== undefined) {
		if (sent['accept-encoding'] !== undefined) {
			// errors must stay readable, so that the key can be found in them
			sent['accept-encoding'] = keepKnownEncodings(sent['accept-encoding']);
		}
		const header = keyHeaders[route.provider];
		if (route.bearer || header === undefined) {
			sent['authorization'] = `Bearer ${key}`;
		} else {
			sent[header] = key;
		}
	}
	return sent;
}

/** Returns the caller's headers that are forwarded unchanged. */
export function getForwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	const sent: Record<string, string> = {};
	for (const name in headers) {
		const value = headers[name];
		if (!notForwarded.has(name) && value !== undefined) {
			sent[name] = typeof value === 'string' ? value : value.join(', ');
		}
	}
	return sent;
}

/** Headers that providers read the key from; the others use `Authorization`. */
const keyHeaders: Partial<Readonly<Record<Provider, string>>> = { anthropic: 'x-api-key', google: 'x-goog-api-key' };

/** Returns the caller's query for the upstream, without its key. */
export function createUpstreamQuery(search: string): string {
	const kept = removeKeyParameter(search);
	return kept === '' ? '' : `?${kept}`;
}

/** Removes the caller's key from a query; its name may be percent-encoded. Other parameters keep their bytes. */
export function removeKeyParameter(search: string): string {
	return search
		.split('&')
		.filter(pair => pair !== '' && !new URLSearchParams(pair).has('key'))
		.join('&');
}

const notForwarded = new Set([
	// may contain secrets of a suite
	recordingHeader,
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
	// only describes the caller's web page
	'origin',
	'referer',
]);
