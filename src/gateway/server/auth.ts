import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RouteGroup } from '#contract/faults/routeGroup.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Checks credentials in all forms of the contract against one key, in constant time. */
export class Authenticator {
	readonly #key: Buffer;
	/** Holds the key to check, cut or padded to the length of the expected one, so that the time of the comparison reveals nothing. */
	readonly #given: Buffer;

	constructor(apiKey: string) {
		this.#key = Buffer.from(apiKey);
		this.#given = Buffer.alloc(this.#key.length);
	}

	/**
	 * Throws an error in the wording of the protocol's service (wire facts 1.6, 2.3, 4.3) unless the request has the key.
	 * @param search the query without its question mark
	 */
	checkRequest(group: RouteGroup, request: IncomingMessage, search: string): void {
		if (group === 'agent') {
			this.#checkBearer(request.headers.authorization);
		} else if (group === 'messages') {
			this.#checkMessages(request);
		} else if (group === 'mcp') {
			this.#checkMcp(request);
		} else if (group === 'content') {
			this.#checkContent(request, search);
		} else if (group === 'openai') {
			this.#checkOpenAi(request);
		}
	}

	#checkBearer(header: string | undefined): void {
		if (header === undefined || !header.includes(' ')) {
			throw createAuthError("Authorization header must be provided and start with 'Bearer'");
		}
		if (!/^bearer /i.test(header)) {
			throw createAuthError("Authorization scheme must be 'Bearer'");
		}
		if (!this.#matchesKey(header.slice(7).trim())) {
			throw createAuthError('Access token is invalid');
		}
	}

	/**
	 * Checks the headers of Anthropic's clients. SDKs from 1.0.0 send a bearer token, but if both headers are present, x-api-key takes
	 * precedence (wire facts 2.0). Empty values are ignored.
	 */
	#checkMessages(request: IncomingMessage): void {
		const { 'x-api-key': header, authorization } = request.headers;
		const given = typeof header === 'string' && header !== '' ? header : undefined;
		const key = given ?? readBearer(authorization);
		if (key === undefined) {
			throw new ServiceFault(401, 'x-api-key header is required');
		}
		if (!this.#matchesKey(key)) {
			throw new ServiceFault(401, given === undefined ? 'invalid bearer token' : 'invalid x-api-key');
		}
	}

	/** Checks either header, because MCP clients send the header that they were configured with. */
	#checkMcp({ headers: { 'x-api-key': header, authorization } }: IncomingMessage): void {
		const key = typeof header === 'string' && header !== '' ? header : readBearer(authorization);
		if (key === undefined) {
			throw createAuthError('The key is missing. Send the header "Authorization: Bearer KEY" or "x-api-key: KEY".');
		}
		if (!this.#matchesKey(key)) {
			throw createAuthError("Incorrect key. Send this gateway's key.");
		}
	}

	#checkContent(request: IncomingMessage, search: string): void {
		const { 'x-goog-api-key': header, authorization } = request.headers;
		const key = [header, new URLSearchParams(search).get('key'), readBearer(authorization)].find(
			value => typeof value === 'string' && value !== '',
		);
		if (typeof key !== 'string') {
			throw new ServiceFault(
				403,
				"Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
			);
		}
		if (!this.#matchesKey(key)) {
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

	/** Checks OpenAI's bearer token and the headers of compatible services (`api-key` is Azure's). Empty values are ignored. */
	#checkOpenAi({ headers }: IncomingMessage): void {
		const key = [readBearer(headers.authorization), headers['x-api-key'], headers['api-key']].find(
			value => typeof value === 'string' && value !== '',
		);
		if (typeof key !== 'string') {
			throw new ServiceFault(
				401,
				"You didn't provide an API key. Send it in the Authorization header, for example 'Authorization: Bearer KEY'.",
				{
					code: null,
				},
			);
		}
		if (!this.#matchesKey(key)) {
			throw new ServiceFault(401, "Incorrect API key provided. Send this gateway's key.");
		}
	}

	#matchesKey(key: string): boolean {
		this.#given.fill(0).write(key);
		const same = timingSafeEqual(this.#given, this.#key);
		return same && Buffer.byteLength(key) === this.#key.length;
	}
}

function readBearer(header: string | undefined): string | undefined {
	return header !== undefined && /^bearer /i.test(header) ? header.slice(7).trim() : undefined;
}

function createAuthError(message: string): ServiceFault {
	return new ServiceFault(401, message, { headers: { 'www-authenticate': 'Bearer realm="api"' } });
}
