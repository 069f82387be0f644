import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { encodeMessage } from '#base/text/localizableMessage.ts';
import { errorBody } from '#contract/faults/errorBody.ts';
import { messageHeader, ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Log } from '../process/log.ts';
import { AllowedOrigins } from './allowedOrigins.ts';
import type { Authenticator } from './auth.ts';
import { ConnectionLines } from './connectionLines.ts';
import { Exchange, type ExchangeTarget } from './exchange.ts';
import { HostGuard } from './hostGuard.ts';
import { defaultBodyLimit, type Route } from './route.ts';
import { groupOfPath, Router } from './router.ts';

/** Milliseconds and counts that keep one client from holding up the others. */
interface ServerLimits {
	/** Until a request's header is complete. */
	readonly headersTimeoutMs: number;
	/** Until a request's body is complete. */
	readonly requestTimeoutMs: number;
	/** A kept connection without a request. */
	readonly keepAliveTimeoutMs: number;
	/** Until a reader that takes nothing of an answer is let go. */
	readonly readTimeoutMs: number;
	/** How often half-open connections are looked for. */
	readonly checkIntervalMs: number;
	readonly maxConnections: number;
	/** Requests that may be open at a time, streams included. */
	readonly maxOpenRequests: number;
}

export const defaultLimits: ServerLimits = {
	headersTimeoutMs: 10_000,
	requestTimeoutMs: 120_000,
	keepAliveTimeoutMs: 65_000,
	readTimeoutMs: 60_000,
	checkIntervalMs: 2_000,
	maxConnections: 8_192,
	maxOpenRequests: 4_096,
};

/** A connection that is kept after its last answer is not told that the server ends: it is looked for. */
const idleSweepMs = 20;

/** The HTTP side of the gateway: finds the route, checks who asks, and writes faults in the caller's protocol. */
export class GatewayServer {
	readonly #router = new Router();
	readonly #auth: Authenticator;
	readonly #log: Log;
	readonly #server: http.Server;
	readonly #maxOpen: number;
	readonly #lines = new ConnectionLines();
	#open = 0;
	#guard = new HostGuard('127.0.0.1');
	#origins = new AllowedOrigins();

	constructor(auth: Authenticator, log: Log, limits: ServerLimits = defaultLimits) {
		this.#auth = auth;
		this.#log = log;
		this.#server = http.createServer(
			{
				headersTimeout: limits.headersTimeoutMs,
				requestTimeout: limits.requestTimeoutMs,
				keepAliveTimeout: limits.keepAliveTimeoutMs,
				connectionsCheckingInterval: limits.checkIntervalMs,
				IncomingMessage: this.#lines.requestClass(),
			},
			(request, response) => this.#lines.enter(response, () => void this.#serve(request, response)),
		);
		this.#server.timeout = limits.readTimeoutMs;
		this.#server.on('timeout', socket => this.#silent(socket));
		this.#server.maxConnections = limits.maxConnections;
		this.#maxOpen = limits.maxOpenRequests;
	}

	get routes(): readonly Route[] {
		return this.#router.routes;
	}

	add(routes: readonly Route[]): void {
		this.#router.add(routes);
	}

	/**
	 * Starts to listen; port 0 takes a free one. `allowedHosts`: names that clients may call it by besides its address; `allowedOrigins`: origins of web pages
	 * that may use it. Rejects with Node's error if the address cannot be had.
	 */
	listen(host: string, port: number, allowedHosts: readonly string[] = [], allowedOrigins: readonly string[] = []): Promise<AddressInfo> {
		this.#guard = new HostGuard(host, allowedHosts);
		this.#origins = new AllowedOrigins(allowedOrigins);
		return new Promise((resolve, reject) => {
			this.#server.once('error', reject);
			this.#server.listen({ host, port, backlog: 1024 }, () => {
				this.#server.off('error', reject);
				resolve(this.#server.address() as AddressInfo);
			});
		});
	}

	/** Takes no more connections, ends those that are or become idle, and resolves when the last has ended, or after `graceMs` when the rest are cut. */
	async close(graceMs: number): Promise<void> {
		const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
		const sweep = setInterval(() => this.#server.closeIdleConnections(), idleSweepMs);
		const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
		await closed;
		clearInterval(sweep);
		clearTimeout(cut);
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const target = targetOf(request);
		const exchange = new Exchange(request, response, target);
		const started = performance.now();
		exchange.group = groupOfPath(target.path, request.headers);
		this.#open++;
		// it closes once: `once` would wrap the listener for every request
		response.on('close', () => {
			this.#open--;
			this.#log.request(request.method ?? '', request.url ?? '', response, performance.now() - started);
		});
		try {
			this.#guard.check(request);
			if (this.#origins.admit(request, response)) {
				return;
			}
			refuseUpgrade(request);
			const { route, params } = this.#router.match(request.method ?? '', target.path, pathOf(request), exchange.group);
			const group = route.groupOf?.(request) ?? route.group;
			exchange.group = group;
			this.#auth.check(group, request, target.search);
			if (this.#open > this.#maxOpen && group !== 'open') {
				throw new ServiceFault(429, `Too many requests. Please try again later. At most ${this.#maxOpen} can be open at a time.`);
			}
			exchange.params = params;
			exchange.bodyLimit = route.bodyLimit ?? defaultBodyLimit;
			const done = route.handle(exchange);
			if (done) {
				await done;
			}
		} catch (error) {
			this.#fail(exchange, error);
		}
	}

	/** A connection on which nothing has moved: one that waits for a run is left alone. Node counts each byte that a reader takes as a move. */
	#silent(socket: Socket): void {
		if (socket.writableLength > 0 || !this.#lines.isBusy(socket)) {
			socket.destroy();
		}
	}

	#fail(exchange: Exchange, error: unknown): void {
		const { response } = exchange;
		const fault =
			error instanceof ServiceFault ? error : new ServiceFault(500, 'Internal server error: see the log of the service.', { cause: error });
		if (!(error instanceof ServiceFault)) {
			this.#log.error('request failed', { request: exchange.id, error });
		}
		if (response.headersSent || response.destroyed) {
			// a response that was ended in order is left to reach its reader; any other is cut, so that nobody takes it for whole
			if (!response.writableEnded) {
				response.destroy();
			}
			return;
		}
		try {
			exchange.refuse(fault.status, errorBody(exchange.group, fault, exchange.id), { ...messageHeaders(fault), ...fault.details.headers });
		} catch (failure) {
			// nobody above could catch it: the process would end, and every run with it
			this.#log.error('an error could not be answered', { request: exchange.id, error: failure });
			response.destroy();
		}
	}
}

/** The fault's message for clients that translate it. */
function messageHeaders({ localizable }: ServiceFault): Readonly<Record<string, string>> {
	const value = localizable && encodeMessage(localizable);
	return value === undefined ? {} : { [messageHeader]: value };
}

/** Some clients of OpenAI's protocol try a WebSocket first, and go on over HTTP where they are told to (426). Other upgrades may be ignored (RFC 9110, 7.8). */
function refuseUpgrade({ headers }: IncomingMessage): void {
	if (headers.upgrade?.toLowerCase() === 'websocket') {
		throw new ServiceFault(426, 'This service speaks HTTP alone, no WebSocket: send the request with POST.', {
			headers: { upgrade: 'HTTP/1.1' },
		});
	}
}

const difyPrefix = /^\/dify\/([^/]+)\/v1(\/.*)$/;

/**
 * Splits an address, and takes off the prefix by which Dify's clients name the agent: `/dify/AGENT/v1/…` stands for `/v1/agent/…`
 * with the agent as `model`.
 */
function targetOf(request: IncomingMessage): ExchangeTarget {
	const path = pathOf(request);
	const search = (request.url ?? '').slice(path.length + 1);
	const prefixed = path.startsWith('/dify/') ? difyPrefix.exec(path) : null;
	if (!prefixed) {
		return { path: betaPath(path, search, request), search };
	}
	const [, agent = '', rest = ''] = prefixed;
	try {
		return { path: `/v1/agent${rest}`, search, agent: decodeURIComponent(agent) };
	} catch {
		return { path, search };
	}
}

/** The path as the client has sent it. */
function pathOf({ url = '/' }: IncomingMessage): string {
	const mark = url.indexOf('?');
	return mark < 0 ? url : url.slice(0, mark);
}

/**
 * The path under which E is served here: Google's API has the same operations under `/v1` as under the contract's `/v1beta`, and its SDK
 * asks for `/v1` from 3.0 on. There they share `/v1/models` with Anthropic's model list, from which the credential tells them apart.
 */
function betaPath(path: string, search: string, request: IncomingMessage): string {
	if (!path.startsWith('/v1/models')) {
		return path;
	}
	const isGoogle = request.method === 'POST' || request.headers['x-goog-api-key'] !== undefined || /(?:^|&)key=/.test(search);
	return isGoogle ? path.replace('/v1/', '/v1beta/') : path;
}
