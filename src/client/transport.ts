import type { IncomingHttpHeaders } from 'node:http';
import errors from 'undici/lib/core/errors.js';
import type Dispatcher from 'undici/types/dispatcher';
import { getBackoffMs } from './backoff.ts';

/** A request to send. Headers are a flat list of names and values. */
export interface WireRequest {
	readonly origin: string;
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** Includes the query, which may contain a key: never shown. */
	readonly path: string;
	/** The path without its query, for logs. */
	readonly shownPath: string;
	readonly headers: string[];
	readonly body: string | Uint8Array | undefined;
	/** Milliseconds until the response starts; 0 for no limit. */
	readonly headersTimeout: number;
	/** True for a stream of events, which can take any time as a whole. */
	readonly stream: boolean;
	/** Milliseconds for the whole body of a response that isn't a stream; 0 for no limit. */
	readonly bodyTimeout: number;
	/** Milliseconds of silence within a body; 0 for no limit. */
	readonly silenceTimeout: number;
}

/** Receives a response. No calls follow `endResponse` or `failResponse`. */
export interface ResponseSink {
	start(status: number, headers: IncomingHttpHeaders): void;
	/** Returns true to end the exchange as if the response were complete. */
	receiveChunk(chunk: Buffer): boolean;
	endResponse(): void;
	/** `sent` is true if any byte of the request may have been sent; if not, the service can't have started work. */
	failResponse(error: Error, sent: boolean): void;
}

/** Pauses, resumes and cancels an exchange. After `cancel` the sink receives no more calls. */
export interface Flow {
	pause(): void;
	resume(): void;
	cancel(): void;
}

/** Connection errors for which a retry can help. */
const unreachable = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_SOCKET']);
const connectionTries = 3;

/**
 * Sends a request. A connection that fails before any byte was sent is retried, for all methods; nothing else is retried. The listener on
 * `signal` is removed after the exchange.
 */
export function sendRequest(dispatcher: Dispatcher, request: WireRequest, signal: AbortSignal | undefined, sink: ResponseSink): Flow {
	return new Exchange(dispatcher, request, signal, sink).startExchange();
}

class Exchange implements Dispatcher.DispatchHandler, Flow {
	readonly #dispatcher: Dispatcher;
	readonly #request: WireRequest;
	readonly #signal: AbortSignal | undefined;
	readonly #sink: ResponseSink;
	#controller: Dispatcher.DispatchController | undefined;
	#retryTimer: NodeJS.Timeout | undefined;
	#bodyTimer: NodeJS.Timeout | undefined;
	#tries = 0;
	#over = false;

	constructor(dispatcher: Dispatcher, request: WireRequest, signal: AbortSignal | undefined, sink: ResponseSink) {
		this.#dispatcher = dispatcher;
		this.#request = request;
		this.#signal = signal;
		this.#sink = sink;
	}

	startExchange(): this {
		if (this.#signal?.aborted) {
			queueMicrotask(this.#abortRequest);
			return this;
		}
		this.#signal?.addEventListener('abort', this.#abortRequest, { once: true });
		this.#dispatchRequest();
		return this;
	}

	pause(): void {
		this.#controller?.pause();
	}

	resume(): void {
		this.#controller?.resume();
	}

	cancel(): void {
		if (!this.#over) {
			this.#cleanUp();
			this.#controller?.abort(new AbortedError());
		}
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#over) {
			controller.abort(new AbortedError());
		}
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
		if (status === 101) {
			// another protocol follows, which doesn't end like a response
			controller.abort(new SwitchedProtocolError());
			return;
		}
		if (status >= 200 && !this.#over) {
			const { stream, bodyTimeout } = this.#request;
			if (bodyTimeout > 0 && (!stream || status >= 300)) {
				this.#bodyTimer = setTimeout(() => controller.abort(new errors.BodyTimeoutError()), bodyTimeout);
			}
			this.#sink.start(status, headers);
		}
	}

	onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (!this.#over && this.#sink.receiveChunk(chunk) && !this.#over) {
			this.cancel();
			this.#sink.endResponse();
		}
	}

	onResponseEnd(): void {
		if (!this.#over) {
			this.#cleanUp();
			this.#sink.endResponse();
		}
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		if (this.#over) {
			return;
		}
		const sent = this.#controller !== undefined;
		if (!sent && this.#tries < connectionTries && unreachable.has((error as NodeJS.ErrnoException).code ?? '')) {
			this.#retryTimer = setTimeout(() => this.#dispatchRequest(), getBackoffMs(this.#tries));
			return;
		}
		this.#cleanUp();
		this.#sink.failResponse(error, sent);
	}

	#dispatchRequest(): void {
		this.#tries++;
		const { origin, method, path, headers, body, headersTimeout, silenceTimeout } = this.#request;
		this.#dispatcher.dispatch({ origin, method, path, headers, body: body ?? null, headersTimeout, bodyTimeout: silenceTimeout }, this);
	}

	readonly #abortRequest = () => {
		if (!this.#over) {
			this.#cleanUp();
			this.#controller?.abort(new AbortedError());
			this.#sink.failResponse(new AbortedError(), this.#controller !== undefined);
		}
	};

	#cleanUp(): void {
		this.#over = true;
		clearTimeout(this.#retryTimer);
		clearTimeout(this.#bodyTimer);
		this.#signal?.removeEventListener('abort', this.#abortRequest);
	}
}

/** An unrequested 101 response. */
class SwitchedProtocolError extends Error {
	override readonly name = 'HTTPParserError';

	constructor() {
		super('The service switched to another protocol (status 101)');
	}
}

/** Aborted by the caller's signal, or because a stream's reader stopped reading. */
export class AbortedError extends Error {
	override readonly name = 'AbortedError';
	readonly code = 'ABORTED';

	constructor() {
		super('The request was canceled');
	}
}
