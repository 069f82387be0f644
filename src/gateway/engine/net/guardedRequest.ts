import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { checkLiteralAddress, publicLookup } from './privateNetwork.ts';

/** A request of a node to somewhere outside. */
export interface OutgoingRequest {
	readonly url: URL;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer | undefined;
	readonly allowPrivateNetwork: boolean;
	/** Whether certificates are checked. */
	readonly verifyCertificates: boolean;
	/** Milliseconds until a connection stands. */
	readonly connectTimeoutMs: number;
	/** Milliseconds of silence until the reply goes on. */
	readonly readTimeoutMs: number;
	/** Bytes of the unpacked body for a reply with these headers; more is an error. */
	readonly maxBytes: (headers: http.IncomingHttpHeaders) => number;
	readonly signal: AbortSignal;
}

export interface IncomingReply {
	readonly status: number;
	readonly headers: http.IncomingHttpHeaders;
	/** Unpacked. */
	readonly body: Buffer;
	/** Address the reply came from, after redirects. */
	readonly url: URL;
}

/** A reply that is longer than it may be. */
export class TooLargeError extends Error {
	override readonly name = 'ResponseSizeError';
}

const maxRedirects = 5;

/**
 * Sends a request and reads the whole reply. Redirects are followed, each address is checked again, and keys stay with their origin.
 * @throws {PrivateAddressError | TooLargeError | Error} with a sentence that names the host
 */
export async function guardedRequest(request: OutgoingRequest): Promise<IncomingReply> {
	let next = request;
	for (let redirects = 0; ; redirects++) {
		const reply = await exchange(next);
		const location = reply.headers.location;
		if (![301, 302, 303, 307, 308].includes(reply.status) || !location) {
			return reply;
		}
		if (redirects === maxRedirects) {
			throw new Error(`${request.url.host} redirects more than ${maxRedirects} times`);
		}
		next = redirected(next, reply.status, new URL(location, next.url));
	}
}

function redirected(request: OutgoingRequest, status: number, url: URL): OutgoingRequest {
	const toGet = status === 303 || ((status === 301 || status === 302) && request.method === 'POST');
	const dropped = new Set([
		'host',
		...(url.origin === request.url.origin ? [] : ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-goog-api-key']),
		...(toGet ? ['content-type', 'content-length', 'transfer-encoding'] : []),
	]);
	return {
		...request,
		url,
		method: toGet && request.method !== 'HEAD' ? 'GET' : request.method,
		body: toGet ? undefined : request.body,
		headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !dropped.has(name.toLowerCase()))),
	};
}

function exchange(request: OutgoingRequest): Promise<IncomingReply> {
	const { url, method, body, signal } = request;
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new Error(`"${url.protocol}" cannot be requested, only http and https`);
	}
	if (!request.allowPrivateNetwork) {
		checkLiteralAddress(url.hostname);
	}
	return new Promise((resolve, reject) => {
		const fail = (error: unknown) => {
			clearTimeout(connecting);
			outgoing.destroy();
			reject(signal.aborted ? signal.reason : error);
		};
		const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
			method,
			headers: { 'accept-encoding': 'gzip, deflate, br', ...request.headers, ...(body && { 'content-length': body.length }) },
			agent: false,
			signal,
			timeout: request.readTimeoutMs,
			rejectUnauthorized: request.verifyCertificates,
			...(!request.allowPrivateNetwork && { lookup: publicLookup }),
		});
		const connecting = setTimeout(
			() => fail(new Error(`${url.host} does not answer: no connection within ${request.connectTimeoutMs / 1000} seconds`)),
			request.connectTimeoutMs,
		);
		outgoing.on('socket', socket => socket.once('connect', () => clearTimeout(connecting)));
		outgoing.on('timeout', () => fail(new Error(`${url.host} is silent for more than ${request.readTimeoutMs / 1000} seconds`)));
		outgoing.on('error', fail);
		outgoing.on('response', incoming => {
			clearTimeout(connecting);
			const { statusCode: status = 0, headers } = incoming;
			readAll(unpacked(incoming), request.maxBytes(headers)).then(read => resolve({ status, headers, body: read, url }), fail);
		});
		outgoing.end(body);
	});
}

function unpacked(incoming: http.IncomingMessage): Readable {
	const decoders: Record<string, () => zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress> = {
		gzip: () => zlib.createGunzip(),
		'x-gzip': () => zlib.createGunzip(),
		deflate: () => zlib.createInflate(),
		br: () => zlib.createBrotliDecompress(),
	};
	const decoder = decoders[incoming.headers['content-encoding']?.trim().toLowerCase() ?? '']?.();
	if (!decoder) {
		return incoming;
	}
	incoming.on('error', error => decoder.destroy(error));
	return incoming.pipe(decoder);
}

async function readAll(source: Readable, maxBytes: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of source as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > maxBytes) {
			throw new TooLargeError(`The reply is over ${(maxBytes / 1024 / 1024).toFixed(2)} MB, the most that is read`);
		}
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
