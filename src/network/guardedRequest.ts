import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { createDispatcher } from './dispatcher.ts';
import { createDispatcherFetch } from './fetchThrough.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { checkAddressOfHost, checkHostName, checkLiteralAddress, lookUpPublicAddress } from './privateNetwork.ts';
import { findProxy, tryPercentDecode } from './proxies.ts';
import { isSecretName } from './redaction.ts';
import { readToLimit } from './replyLimits.ts';

/** An outgoing request of a node. The author of an agent or of a prompt may have chosen its address. */
export interface OutgoingRequest {
	readonly url: URL;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Lower-case names of headers that contain a key. Like headers recognized as secret, they are only sent to their origin. */
	readonly secretHeaders: ReadonlySet<string>;
	readonly body: Buffer | undefined;
	/** True if the body contains a secret, which is only sent to its origin. Default: false. Called at most once per redirect. */
	hasSecretBody?(): boolean;
	readonly network: NetworkSettings;
	readonly allowPrivateNetwork: boolean;
	/** An origin that the user has configured. It may be private, but its redirect targets may not. */
	readonly trustedOrigin?: string;
	/** True to verify certificates, unless the network settings disable it. */
	readonly verifyCertificates: boolean;
	/** Time limit for connecting, in milliseconds. */
	readonly connectTimeoutMs: number;
	/** Maximum pause while reading the reply, in milliseconds. */
	readonly readTimeoutMs: number;
	/** Time limit for the whole request with its redirects, in milliseconds. Default: ten minutes more than for the start of the reply. */
	readonly totalTimeoutMs?: number;
	/** Returns the maximum size of the decompressed body in bytes for a reply with these headers. */
	readonly getMaxBytes: (headers: IncomingHttpHeaders) => number;
	readonly signal: AbortSignal;
	/** Replaces the network: nothing is looked up or sent. All checks apply. */
	readonly standIn?: NetworkStandIn;
}

/** A network of which nothing leaves the process. */
export interface NetworkStandIn {
	/** Returns the IP address of a host name. */
	readonly lookUp: (hostname: string) => string;
	readonly reply: (request: OutgoingRequest) => Omit<IncomingReply, 'url'>;
}

export interface IncomingReply {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	/** The decompressed body. */
	readonly body: Buffer;
	/** Final URL after redirects. */
	readonly url: URL;
}

const maxRedirects = 5;
const maxBodyMs = 600_000;

/**
 * Sends a request and reads the whole reply. Follows redirects like the Fetch standard, with the body for 307 and 308, and checks each
 * address. Keys, cookies and bodies with secrets are only sent to their origin.
 * @throws {PrivateAddressError | TooLargeError | Error} with a message that names the host
 */
export async function sendGuardedRequest(request: OutgoingRequest): Promise<IncomingReply> {
	const { url, connectTimeoutMs, readTimeoutMs, totalTimeoutMs = connectTimeoutMs + readTimeoutMs + maxBodyMs } = request;
	// the limit for pauses never ends a reply that arrives byte by byte
	const timeUp = AbortSignal.timeout(totalTimeoutMs);
	try {
		return await followRedirects({ ...request, signal: AbortSignal.any([request.signal, timeUp]) });
	} catch (error) {
		throw timeUp.aborted && !request.signal.aborted
			? new Error(`The response of ${url.host} wasn't complete within ${totalTimeoutMs / 1000} seconds`)
			: error;
	}
}

async function followRedirects(request: OutgoingRequest): Promise<IncomingReply> {
	let next = moveCredentials(request);
	for (let redirects = 0; ; redirects++) {
		const reply = await sendSingleRequest(next);
		const location = reply.headers.location;
		if (![301, 302, 303, 307, 308].includes(reply.status) || !location) {
			return reply;
		}
		if (redirects === maxRedirects) {
			throw new Error(`${request.url.host} redirected more than ${maxRedirects} times`);
		}
		if (!URL.canParse(location, next.url)) {
			throw new Error(`${next.url.host} redirected to an invalid URL`);
		}
		next = createRedirect(next, reply.status, new URL(location, next.url));
	}
}

/** Moves the name and password of a URL to the authorization header. */
function moveCredentials(request: OutgoingRequest): OutgoingRequest {
	const { username, password } = request.url;
	if ((username === '' && password === '') || Object.keys(request.headers).some(name => name.toLowerCase() === 'authorization')) {
		return request;
	}
	const credentials = Buffer.from(`${tryPercentDecode(username)}:${tryPercentDecode(password)}`).toString('base64');
	return { ...request, headers: { ...request.headers, authorization: `Basic ${credentials}` } };
}

function createRedirect(request: OutgoingRequest, status: number, url: URL): OutgoingRequest {
	const toGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
	const leaves = url.origin !== request.url.origin;
	if (leaves && !toGet && request.body && request.hasSecretBody?.()) {
		throw new Error(
			`${request.url.host} redirected to ${url.origin}, but the body contains a secret. If you trust that address, send the request there directly`,
		);
	}
	const isDroppedHeader = (name: string) =>
		name === 'host' || (leaves && (isSecretName(name) || request.secretHeaders.has(name))) || (toGet && name === 'content-type');
	return {
		...request,
		url,
		method: toGet && request.method !== 'HEAD' ? 'GET' : request.method,
		body: toGet ? undefined : request.body,
		headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !isDroppedHeader(name.toLowerCase()))),
	};
}

async function sendSingleRequest(request: OutgoingRequest): Promise<IncomingReply> {
	const { url, method, headers, body, network, signal, readTimeoutMs } = request;
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new Error(`Couldn't request '${url.protocol}'. Expected http or https`);
	}
	const mayBePrivate = request.allowPrivateNetwork || url.origin === request.trustedOrigin;
	if (request.standIn) {
		return askStandIn(request, request.standIn, mayBePrivate);
	}
	if (!mayBePrivate) {
		await checkAddress(url, network);
	}
	const dispatcher = createDispatcher(
		url,
		{ ...network, strictSSL: request.verifyCertificates && (network.strictSSL ?? true) },
		{ connectTimeout: request.connectTimeoutMs, ...(!mayBePrivate && { lookup: lookUpPublicAddress }) },
	);
	const limits = { headersTimeout: readTimeoutMs, bodyTimeout: readTimeoutMs };
	const fetch = createDispatcherFetch((options, handler) => dispatcher.dispatch({ ...options, ...limits }, handler));
	try {
		const response = await fetch(url, {
			method,
			headers: { 'accept-encoding': 'gzip, deflate, br', ...removeHopByHopHeaders(headers) },
			body: body ? new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length) : null,
			signal,
		});
		const received = Object.fromEntries(response.headers) as IncomingHttpHeaders;
		return { status: response.status, headers: received, body: await readBody(response, request.getMaxBytes(received)), url };
	} catch (error) {
		throw signal.aborted ? signal.reason : describeRequestError(error, request);
	} finally {
		await dispatcher.destroy();
	}
}

async function askStandIn(request: OutgoingRequest, { lookUp, reply }: NetworkStandIn, mayBePrivate: boolean): Promise<IncomingReply> {
	const { url, getMaxBytes } = request;
	const host = url.hostname.replace(/^\[|\]$/g, '');
	if (!mayBePrivate) {
		checkAddressOfHost(host, lookUp(host));
	}
	const { body, ...received } = reply(request);
	return { ...received, url, body: await readToLimit(Readable.from([body]), getMaxBytes(received.headers)) };
}

/**
 * Checks an address before connecting. Direct connections look up names with {@link lookUpPublicAddress}. A proxy looks them up itself, so only
 * the result of this machine's lookup can be checked.
 */
async function checkAddress(url: URL, network: NetworkSettings): Promise<void> {
	checkLiteralAddress(url.hostname);
	if (findProxy(url, network)) {
		await checkHostName(url.hostname);
	}
}

/** Removes headers for framing and for the connection, because they are set here. */
function removeHopByHopHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !frame.has(name.toLowerCase())));
}

const frame = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

function readBody(response: Response, maxBytes: number): Promise<Buffer> {
	const source = response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
	const encoding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
	const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
	const readChunks = (chunks: AsyncIterable<Uint8Array>) => readToLimit(chunks, maxBytes);
	return decoder ? pipeline(source, decoder, readChunks) : pipeline(source, readChunks);
}

const decoders: Readonly<Record<string, () => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress>> = {
	gzip: () => zlib.createGunzip(),
	'x-gzip': () => zlib.createGunzip(),
	deflate: () => zlib.createInflate(),
	br: () => zlib.createBrotliDecompress(),
};

function describeRequestError(error: unknown, { url, connectTimeoutMs, readTimeoutMs }: OutgoingRequest): unknown {
	switch ((error as NodeJS.ErrnoException).code) {
		case 'UND_ERR_CONNECT_TIMEOUT':
			return new Error(`Couldn't connect to ${url.host} within ${connectTimeoutMs / 1000} seconds`);
		case 'UND_ERR_HEADERS_TIMEOUT':
		case 'UND_ERR_BODY_TIMEOUT':
			return new Error(`${url.host} didn't send anything for ${readTimeoutMs / 1000} seconds`);
		default:
			return error;
	}
}
