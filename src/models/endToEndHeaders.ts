import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

const hopByHop = new Set([
	'connection',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);

/** Drops headers of a single connection (RFC 9110, 7.6.1), and CORS headers, which this gateway decides about. */
export function getEndToEndHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
	const kept: OutgoingHttpHeaders = {};
	for (const name in headers) {
		if (!hopByHop.has(name) && !name.startsWith('access-control-')) {
			kept[name] = headers[name];
		}
	}
	return kept;
}
