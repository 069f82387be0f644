import type { IncomingMessage, ServerResponse } from 'node:http';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { priceHeader } from '#contract/text/tokenPrice.ts';

/** Origins of web pages that may use the service. All others are refused. There is no wildcard, and cookies aren't allowed. */
export class AllowedOrigins {
	readonly #origins: ReadonlySet<string>;

	/** @param origins origins that {@link isOrigin} accepts; none by default */
	constructor(origins: readonly string[] = []) {
		this.#origins = new Set(origins);
	}

	/**
	 * Lets pages of an allowed origin read the response, and responds to preflight requests. Returns true if the request needs no other
	 * response. Throws an error (403) for any other origin.
	 */
	admitOrigin(request: IncomingMessage, response: ServerResponse): boolean {
		const { origin } = request.headers;
		if (this.#origins.size > 0) {
			response.setHeader('vary', 'Origin');
		}
		if (origin === undefined) {
			return false;
		}
		if (!this.#origins.has(origin)) {
			throw new ServiceFault(403, localizable`Web pages can't use this service unless its settings allow their origin.`);
		}
		response.setHeader('access-control-allow-origin', origin);
		response.setHeader('access-control-expose-headers', exposed);
		const method = request.headers['access-control-request-method'];
		if (request.method !== 'OPTIONS' || method === undefined) {
			return false;
		}
		const asked = request.headers['access-control-request-headers'];
		response.writeHead(204, {
			'access-control-allow-methods': 'GET, POST, DELETE',
			...(asked !== undefined && { 'access-control-allow-headers': asked }),
			...(request.headers['access-control-request-private-network'] === 'true' && { 'access-control-allow-private-network': 'true' }),
			'access-control-max-age': '600',
			vary: 'Origin, Access-Control-Request-Headers',
		});
		response.end();
		return true;
	}
}

/** True if the string is an origin as browsers send it: scheme, host, and the port unless it's the scheme's default. */
export function isOrigin(text: string): boolean {
	const isWeb = /^https?:/.test(text);
	return isWeb
		? !text.includes('*') && URL.canParse(text) && new URL(text).origin === text
		: /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(text);
}

/** Response headers that a page may read in addition to the default ones. */
const exposed = [
	...['request-id', 'x-request-id', 'x-agent-workbench-route', 'x-agent-workbench-cache', priceHeader],
	...['warning', 'retry-after', 'www-authenticate', 'mcp-session-id'],
].join(', ');
