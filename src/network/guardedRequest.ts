import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { createDispatcher } from './dispatcher.ts';
import { fetchThrough } from './fetchThrough.ts';
import type { NetworkSettings } from './networkSettings.ts';
import { checkLiteralAddress, checkName, publicLookup } from './privateNetwork.ts';
import { decoded, proxyFor } from './proxies.ts';
import { isSecretName } from './redaction.ts';
import { readLimited } from './replyLimits.ts';

/** A request of a node to somewhere outside, to an address that whoever wrote an agent or a prompt has chosen. */
interface OutgoingRequest {
	readonly url: URL;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Names of headers that carry a key, in lower case: with all that look like it, they stay with their origin. */
	readonly secretHeaders: ReadonlySet<string>;
	readonly body: Buffer | undefined;
	/** Whether the body holds a secret, which stays with its origin like a key; by default it doesn't. Asked at most once a redirect. */
	hasSecretBody?(): boolean;
	readonly network: NetworkSettings;
	readonly allowPrivateNetwork: boolean;
	/** An origin that the user has configured: it may be private, but not what it redirects to. */
	readonly trustedOrigin?: string;
	/** Whether certificates are checked, unless the network's settings say never. */
	readonly verifyCertificates: boolean;
	/** Milliseconds until a connection stands. */
	readonly connectTimeoutMs: number;
	/** Milliseconds of silence until the reply goes on. */
	readonly readTimeoutMs: number;
	/** Bytes of the unpacked body for a reply with these headers; more is an error. */
	readonly maxBytes: (headers: IncomingHttpHeaders) => number;
	readonly signal: AbortSignal;
}

export interface IncomingReply {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	/** Unpacked. */
	readonly body: Buffer;
	/** Address the reply came from, after redirects. */
	readonly url: URL;
}

const maxRedirects = 5;

/**
 * Sends a request and reads the whole reply. Redirects are followed as the Fetch standard has it, with the body on 307 and 308. Each
 * address is checked again. Keys, cookies and bodies with secrets stay with their origin.
 * @throws {PrivateAddressError | TooLargeError | Error} with a sentence that names the host
 */
export async function guardedRequest(request: OutgoingRequest): Promise<IncomingReply> {
	let next = withCredentials(request);
	for (let redirects = 0; ; redirects++) {
		const reply = await exchange(next);
		const location = reply.headers.location;
		if (![301, 302, 303, 307, 308].includes(reply.status) || !location) {
			return reply;
		}
		if (redirects === maxRedirects) {
			throw new Error(`${request.url.host} redirects more than ${maxRedirects} times`);
		}
		if (!URL.canParse(location, next.url)) {
			throw new Error(`${next.url.host} redirects to what is no address`);
		}
		next = redirected(next, reply.status, new URL(location, next.url));
	}
}

/** Name and password of an address go into the header that they are meant for. */
function withCredentials(request: OutgoingRequest): OutgoingRequest {
	const { username, password } = request.url;
	if ((username === '' && password === '') || Object.keys(request.headers).some(name => name.toLowerCase() === 'authorization')) {
		return request;
	}
	const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
	return { ...request, headers: { ...request.headers, authorization: `Basic ${credentials}` } };
}

function redirected(request: OutgoingRequest, status: number, url: URL): OutgoingRequest {
	const toGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
	const leaves = url.origin !== request.url.origin;
	if (leaves && !toGet && request.body && request.hasSecretBody?.()) {
		throw new Error(
			`${request.url.host} redirects a request whose body holds a secret to ${url.origin}: send it to that address if you trust it`,
		);
	}
	const staysBehind = (name: string) =>
		name === 'host' || (leaves && (isSecretName(name) || request.secretHeaders.has(name))) || (toGet && name === 'content-type');
	return {
		...request,
		url,
		method: toGet && request.method !== 'HEAD' ? 'GET' : request.method,
		body: toGet ? undefined : request.body,
		headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !staysBehind(name.toLowerCase()))),
	};
}

async function exchange(request: OutgoingRequest): Promise<IncomingReply> {
	const { url, method, headers, body, network, signal, readTimeoutMs } = request;
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new Error(`"${url.protocol}" cannot be requested, only http and https`);
	}
	const mayBePrivate = request.allowPrivateNetwork || url.origin === request.trustedOrigin;
	if (!mayBePrivate) {
		await checkAddress(url, network);
	}
	const dispatcher = createDispatcher(
		url,
		{ ...network, strictSSL: request.verifyCertificates && (network.strictSSL ?? true) },
		{ connectTimeout: request.connectTimeoutMs, ...(!mayBePrivate && { lookup: publicLookup }) },
	);
	const limits = { headersTimeout: readTimeoutMs, bodyTimeout: readTimeoutMs };
	const fetch = fetchThrough((options, handler) => dispatcher.dispatch({ ...options, ...limits }, handler));
	try {
		const response = await fetch(url, {
			method,
			headers: { 'accept-encoding': 'gzip, deflate, br', ...endToEnd(headers) },
			body: body ? new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length) : null,
			signal,
		});
		const received = Object.fromEntries(response.headers) as IncomingHttpHeaders;
		return { status: response.status, headers: received, body: await bodyOf(response, request.maxBytes(received)), url };
	} catch (error) {
		throw signal.aborted ? signal.reason : worded(error, request);
	} finally {
		await dispatcher.destroy();
	}
}

/**
 * The connection itself looks names up with {@link publicLookup}. A proxy looks them up by itself, so that here only what this machine
 * knows of the name can be judged.
 */
async function checkAddress(url: URL, network: NetworkSettings): Promise<void> {
	checkLiteralAddress(url.hostname);
	if (proxyFor(url, network)) {
		await checkName(url.hostname);
	}
}

/** Headers of the message's frame and of the connection are made here, whatever a node says of them. */
function endToEnd(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !frame.has(name.toLowerCase())));
}

const frame = new Set(['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

function bodyOf(response: Response, maxBytes: number): Promise<Buffer> {
	const source = response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
	const encoding = response.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
	const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
	const read = (chunks: AsyncIterable<Uint8Array>) => readLimited(chunks, maxBytes);
	return decoder ? pipeline(source, decoder, read) : pipeline(source, read);
}

const decoders: Readonly<Record<string, () => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress>> = {
	gzip: () => zlib.createGunzip(),
	'x-gzip': () => zlib.createGunzip(),
	deflate: () => zlib.createInflate(),
	br: () => zlib.createBrotliDecompress(),
};

function worded(error: unknown, { url, connectTimeoutMs, readTimeoutMs }: OutgoingRequest): unknown {
	switch ((error as NodeJS.ErrnoException).code) {
		case 'UND_ERR_CONNECT_TIMEOUT':
			return new Error(`${url.host} does not answer: no connection within ${connectTimeoutMs / 1000} seconds`);
		case 'UND_ERR_HEADERS_TIMEOUT':
		case 'UND_ERR_BODY_TIMEOUT':
			return new Error(`${url.host} is silent for more than ${readTimeoutMs / 1000} seconds`);
		default:
			return error;
	}
}
