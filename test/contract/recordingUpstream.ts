import http from 'node:http';
import { closeServers, getServerUrl, listenOnLoopback } from '../support/services/loopback.ts';

/** A request as received by the upstream. */
export interface RecordedRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: http.IncomingHttpHeaders;
	readonly body: Buffer;
	/** Resolves when the connection of this exchange has closed. */
	readonly closed: Promise<void>;
}

export type Answer = (request: RecordedRequest, response: http.ServerResponse) => void | Promise<void>;

/** An upstream service that records requests and responds as the test chooses. */
export class RecordingUpstream {
	readonly requests: RecordedRequest[] = [];
	answer: Answer = (_request, response) => void response.end();
	readonly #server: http.Server;

	constructor() {
		this.#server = http.createServer((request, response) => void this.#recordRequest(request, response));
	}

	get baseUrl(): string {
		return getServerUrl(this.#server);
	}

	/** The last request. Throws if there is none. */
	get last(): RecordedRequest {
		const request = this.requests.at(-1);
		if (!request) {
			throw new Error('The upstream has had no request');
		}
		return request;
	}

	async start(): Promise<this> {
		await listenOnLoopback(this.#server);
		return this;
	}

	async close(): Promise<void> {
		await closeServers(this.#server);
	}

	async #recordRequest(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		const closed = new Promise<void>(resolve => response.once('close', () => resolve()));
		const chunks: Buffer[] = [];
		for await (const chunk of request) {
			chunks.push(chunk as Buffer);
		}
		const recorded = {
			method: request.method ?? '',
			url: request.url ?? '',
			headers: request.headers,
			body: Buffer.concat(chunks),
			closed,
		};
		this.requests.push(recorded);
		await this.answer(recorded, response);
	}
}

/** Creates a handler that responds with JSON. */
export function createJsonResponse(value: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): Answer {
	return (_request, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(typeof value === 'string' ? value : JSON.stringify(value));
	};
}

/** Creates a handler that responds with an event stream of these bytes in chunks of `pieceSize`. */
export function createStreamResponse(bytes: Buffer | string, pieceSize = 1000): Answer {
	return async (_request, response) => {
		response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
		const buffer = Buffer.from(bytes);
		for (let at = 0; at < buffer.length; at += pieceSize) {
			if (!response.write(buffer.subarray(at, at + pieceSize))) {
				await waitUntilResponseWritable(response);
			}
		}
		response.end();
	};
}

/** Resolves when a response accepts more data or is closed. */
export function waitUntilResponseWritable(response: http.ServerResponse): Promise<void> {
	return new Promise(resolve => {
		const onDone = () => {
			response.off('drain', onDone);
			response.off('close', onDone);
			resolve();
		};
		response.on('drain', onDone);
		response.on('close', onDone);
	});
}
