import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { encodeMessage, localizable } from '#base/text/localizableMessage.ts';
import { createErrorBody } from '#contract/faults/errorBody.ts';
import { messageHeader, ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Log } from '../process/log.ts';
import { AllowedOrigins } from './allowedOrigins.ts';
import type { Authenticator } from './auth.ts';
import { ConnectionLines } from './connectionLines.ts';
import { Exchange, type ExchangeTarget } from './exchange.ts';
import { HostGuard } from './hostGuard.ts';
import { defaultBodyLimit, type Route } from './route.ts';
import { getPathGroup, Router } from './router.ts';

/** Limits, in milliseconds and counts, that prevent a client from blocking others. */
interface ServerLimits {
	/** Until a request's headers are complete. */
	readonly headersTimeoutMs: number;
	/** Until a request's body is complete. */
	readonly requestTimeoutMs: number;
	/** How long an idle keep-alive connection stays open. */
	readonly keepAliveTimeoutMs: number;
	/** Until a client that reads nothing of a response is disconnected. */
	readonly readTimeoutMs: number;
	/** How often to look for half-open connections. */
	readonly checkIntervalMs: number;
	readonly maxConnections: number;
	/** Maximum number of open requests, including streams. */
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

/** Interval for closing idle connections while stopping, because Node doesn't close a keep-alive connection after its last response. */
const idleSweepMs = 20;

/** The gateway's HTTP server. Finds the route, checks the caller's key, and sends errors in the caller's protocol. */
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
				IncomingMessage: this.#lines.createRequestClass(),
			},
			(request, response) => this.#lines.enqueueRequest(response, () => void this.#serveRequest(request, response)),
		);
		this.#server.timeout = limits.readTimeoutMs;
		this.#server.on('timeout', socket => this.#onSilentSocket(socket));
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
	 * Starts listening. Port 0 picks a free port. Rejects with Node's error if the address can't be used.
	 * @param allowedHosts names that clients may use besides the address
	 * @param allowedOrigins origins of web pages that may use the service
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

	/** Stops accepting connections and closes idle ones. Resolves when the last one has closed; those that remain are cut after `graceMs`. */
	async close(graceMs: number): Promise<void> {
		const closed = new Promise<void>(resolve => this.#server.close(() => resolve()));
		const sweep = setInterval(() => this.#server.closeIdleConnections(), idleSweepMs);
		const cut = setTimeout(() => this.#server.closeAllConnections(), graceMs);
		await closed;
		clearInterval(sweep);
		clearTimeout(cut);
	}

	async #serveRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const target = parseTarget(request);
		const exchange = new Exchange(request, response, target);
		const started = performance.now();
		exchange.group = getPathGroup(target.path, request.headers);
		this.#open++;
		// not `once`, which would wrap the listener for every request; this event happens only once anyway
		response.on('close', () => {
			this.#open--;
			this.#log.logRequest(request.method ?? '', request.url ?? '', response, performance.now() - started);
		});
		try {
			this.#guard.checkHost(request);
			if (this.#origins.admitOrigin(request, response)) {
				return;
			}
			refuseUpgrade(request);
			const { route, params } = this.#router.findRoute(request.method ?? '', target.path, getRequestPath(request), exchange.group);
			const group = route.getGroup?.(request) ?? route.group;
			exchange.group = group;
			this.#auth.checkRequest(group, request, target.search);
			if (this.#open > this.#maxOpen && group !== 'open') {
				throw new ServiceFault(429, `Too many requests. Please try again later. At most ${this.#maxOpen} can be open at once.`);
			}
			exchange.params = params;
			exchange.bodyLimit = route.bodyLimit ?? defaultBodyLimit;
			const done = route.handle(exchange);
			if (done) {
				await done;
			}
		} catch (error) {
			this.#sendError(exchange, error);
		}
	}

	/** Closes a connection without activity, unless it waits for a run. Node counts every byte read by the client as activity. */
	#onSilentSocket(socket: Socket): void {
		if (socket.writableLength > 0 || !this.#lines.isBusy(socket)) {
			socket.destroy();
		}
	}

	#sendError(exchange: Exchange, error: unknown): void {
		const { response } = exchange;
		const fault =
			error instanceof ServiceFault
				? error
				: new ServiceFault(500, localizable`Internal server error. See the gateway's log for details.`, { cause: error });
		if (!(error instanceof ServiceFault)) {
			this.#log.error('Request failed', { request: exchange.id, error });
		}
		if (response.headersSent || response.destroyed) {
			// a finished response may still be on its way; cut any other, so that the client doesn't take it for complete
			if (!response.writableEnded) {
				response.destroy();
			}
			return;
		}
		try {
			exchange.refuseRequest(fault.status, createErrorBody(exchange.group, fault, exchange.id), {
				...getMessageHeaders(fault),
				...fault.details.headers,
			});
		} catch (failure) {
			// don't throw: no caller could catch this, so the process would end with all its runs
			this.#log.error("Couldn't send an error response", { request: exchange.id, error: failure });
			response.destroy();
		}
	}
}

/** Returns headers with the error's message, for clients that translate it. */
function getMessageHeaders({ localizable }: ServiceFault): Readonly<Record<string, string>> {
	const value = localizable && encodeMessage(localizable);
	return value === undefined ? {} : { [messageHeader]: value };
}

/**
 * Refuses a WebSocket, which some OpenAI clients try first; after status 426, they continue over HTTP. Other upgrades may be ignored (RFC
 * 9110, 7.8).
 */
function refuseUpgrade({ headers }: IncomingMessage): void {
	if (headers.upgrade?.toLowerCase() === 'websocket') {
		throw new ServiceFault(426, localizable`WebSocket isn't supported here. Send the request with HTTP POST.`, {
			headers: { upgrade: 'HTTP/1.1' },
		});
	}
}

const difyPrefix = /^\/dify\/([^/]+)\/v1(\/.*)$/;

/**
 * Splits an address, and removes the prefix that names the agent for Dify's clients: `/dify/AGENT/v1/…` means `/v1/agent/…` with the agent
 * as `model`.
 */
function parseTarget(request: IncomingMessage): ExchangeTarget {
	const path = getRequestPath(request);
	const search = (request.url ?? '').slice(path.length + 1);
	const prefixed = path.startsWith('/dify/') ? difyPrefix.exec(path) : null;
	if (!prefixed) {
		return { path: toBetaPath(path, search, request), search };
	}
	const [, agent = '', rest = ''] = prefixed;
	try {
		return { path: `/v1/agent${rest}`, search, agent: decodeURIComponent(agent) };
	} catch {
		return { path, search };
	}
}

function getRequestPath({ url = '/' }: IncomingMessage): string {
	const mark = url.indexOf('?');
	return mark < 0 ? url : url.slice(0, mark);
}

/**
 * Returns the path that serves Google's API here. Google has the same operations under `/v1` as under the contract's `/v1beta`, and its SDK
 * uses `/v1` from 3.0. There, `/v1/models` is also Anthropic's model list, so the credential decides.
 */
function toBetaPath(path: string, search: string, request: IncomingMessage): string {
	if (!path.startsWith('/v1/models')) {
		return path;
	}
	const isGoogle = request.method === 'POST' || request.headers['x-goog-api-key'] !== undefined || /(?:^|&)key=/.test(search);
	return isGoogle ? path.replace('/v1/', '/v1beta/') : path;
}
