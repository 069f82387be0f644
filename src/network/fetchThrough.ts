import type { IncomingHttpHeaders } from 'node:http';
import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';

/** Sends a request. Passes all results, including errors, to the handler. */
type Dispatch = (options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler) => void;

/** Thrown for a reply whose status or headers aren't valid HTTP. */
export class BadReplyError extends Error {
	override readonly name = 'BadReplyError';
	readonly code = 'ERR_BAD_REPLY';

	constructor(status: number) {
		super(`the status or headers of the reply aren't valid HTTP (status ${status})`);
	}
}

/**
 * Creates a subset of `fetch` that sends requests through a given dispatcher, for the AI SDK's providers and for nodes. Doesn't follow
 * redirects or decompress.
 */
export function createDispatcherFetch(dispatch: Dispatch): typeof fetch {
	return async (input, init = {}) => {
		const url = new URL(input instanceof Request ? input.url : String(input));
		const body = init.body ?? null;
		if (body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
			throw new TypeError(`This type of request body isn't supported: ${Object.prototype.toString.call(body)}`);
		}
		init.signal?.throwIfAborted();
		return new Promise<Response>((resolve, reject) => {
			dispatch(
				{
					origin: url.origin,
					path: url.pathname + url.search,
					method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
					headers: [...new Headers(init.headers)].flat(),
					body,
				},
				new ResponseHandler(resolve, reject, init.signal ?? undefined),
			);
		});
	};
}

/** Converts a reply to a `Response`. Reads the body no faster than its consumer. */
class ResponseHandler implements Dispatcher.DispatchHandler {
	readonly #resolve: (response: Response) => void;
	readonly #reject: (error: unknown) => void;
	readonly #signal: AbortSignal | undefined;
	#body: ReadableStreamDefaultController<Uint8Array> | undefined;
	#controller: Dispatcher.DispatchController | undefined;
	#ended = false;

	constructor(resolve: (response: Response) => void, reject: (error: unknown) => void, signal: AbortSignal | undefined) {
		this.#resolve = resolve;
		this.#reject = reject;
		this.#signal = signal;
		signal?.addEventListener('abort', this.#abortRequest, { once: true });
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#signal?.aborted) {
			controller.abort(this.#signal.reason as Error);
		}
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
		if (status === 101) {
			// the service switches to another protocol, whose data never ends like a reply
			controller.abort(new BadReplyError(status));
			return;
		}
		if (status < 200) {
			return;
		}
		const body = new ReadableStream<Uint8Array>(
			{
				start: stream => {
					this.#body = stream;
				},
				pull: () => controller.resume(),
				cancel: () => {
					this.#ended = true;
					this.#removeListener();
					controller.abort(new Error('The reader has gone'));
				},
			},
			{ highWaterMark: 64 * 1024, size: chunk => chunk?.length ?? 0 },
		);
		const bodiless = status === 204 || status === 205 || status === 304;
		let response: Response;
		try {
			response = new Response(bodiless ? null : body, { status, headers: toHeaderPairs(headers) });
		} catch {
			this.#body = undefined;
			controller.abort(new BadReplyError(status));
			return;
		}
		this.#resolve(response);
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		const body = this.#body;
		if (!body || this.#ended) {
			return;
		}
		body.enqueue(chunk);
		if ((body.desiredSize ?? 0) <= 0) {
			controller.pause();
		}
	}

	onResponseEnd(): void {
		this.#removeListener();
		if (!this.#ended) {
			this.#ended = true;
			this.#body?.close();
		}
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.#removeListener();
		if (this.#body) {
			if (!this.#ended) {
				this.#ended = true;
				this.#body.error(error);
			}
		} else {
			this.#reject(error);
		}
	}

	/** Aborts the request. While its connection is still being made, it has no controller yet. */
	readonly #abortRequest = () => {
		const reason = this.#signal?.reason as Error;
		this.#reject(reason);
		this.#controller?.abort(reason);
	};

	#removeListener(): void {
		this.#signal?.removeEventListener('abort', this.#abortRequest);
	}
}

/** True if a text is a valid header value. The check is needed because services send invalid ones. */
export function isHeaderValue(text: string): boolean {
	return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}

function toHeaderPairs(headers: IncomingHttpHeaders): [string, string][] {
	return Object.entries(headers)
		.map(([name, value]): [string, string] => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')])
		.filter(([, value]) => isHeaderValue(value));
}
