import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RouteGroup } from './route.ts';
import { ServiceFault } from './serviceFault.ts';

/** Checks the three credential forms of the contract against one key, in constant time. */
export class Authenticator {
	readonly #digest: Buffer;

	constructor(apiKey: string) {
		this.#digest = digestOf(apiKey);
	}

	/**
	 * Throws a fault in the words of the service whose protocol is spoken (wire facts 1.6, 2.3, 4.3) unless the request carries the key.
	 * `search` is the query without its question mark.
	 */
	check(group: RouteGroup, request: IncomingMessage, search: string): void {
		if (group === 'agent') {
			this.#checkBearer(request.headers.authorization);
		} else if (group === 'messages') {
			this.#checkMessages(request);
		} else if (group === 'content') {
			this.#checkContent(request, search);
		}
	}

	#checkBearer(header: string | undefined): void {
		if (header === undefined || !header.includes(' ')) {
			throw unauthorized("Authorization header must be provided and start with 'Bearer'");
		}
		if (!/^bearer /i.test(header)) {
			throw unauthorized("Authorization scheme must be 'Bearer'");
		}
		if (!this.#matches(header.slice(7).trim())) {
			throw unauthorized('Access token is invalid');
		}
	}

	/** SDKs from 1.0.0 on send a bearer token; with both headers the service looks at x-api-key (wire facts 2.0). */
	#checkMessages(request: IncomingMessage): void {
		const { 'x-api-key': header, authorization } = request.headers;
		const key = typeof header === 'string' ? header : bearerOf(authorization);
		if (key === undefined) {
			throw new ServiceFault(401, 'x-api-key header is required');
		}
		if (!this.#matches(key)) {
			throw new ServiceFault(401, typeof header === 'string' ? 'invalid x-api-key' : 'invalid bearer token');
		}
	}

	#checkContent(request: IncomingMessage, search: string): void {
		const { 'x-goog-api-key': header, authorization } = request.headers;
		const key = typeof header === 'string' ? header : (new URLSearchParams(search).get('key') ?? bearerOf(authorization));
		if (key === undefined || key === '') {
			throw new ServiceFault(
				403,
				"Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
			);
		}
		if (!this.#matches(key)) {
			throw new ServiceFault(400, 'API key not valid. Please pass a valid API key.', {
				details: [
					{
						'@type': 'type.googleapis.com/google.rpc.ErrorInfo',
						reason: 'API_KEY_INVALID',
						domain: 'googleapis.com',
						metadata: { service: 'generativelanguage.googleapis.com' },
					},
				],
			});
		}
	}

	#matches(key: string): boolean {
		return timingSafeEqual(digestOf(key), this.#digest);
	}
}

function bearerOf(header: string | undefined): string | undefined {
	return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined;
}

/** A digest has one length whatever the key's, so that the comparison tells nothing about it. */
function digestOf(key: string): Buffer {
	return hash('sha256', key, 'buffer');
}

function unauthorized(message: string): ServiceFault {
	return new ServiceFault(401, message, { headers: { 'www-authenticate': 'Bearer realm="api"' } });
}
