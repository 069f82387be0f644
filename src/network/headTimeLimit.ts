import type { IncomingHttpHeaders } from 'node:http';
import errors from 'undici/lib/core/errors.js';
import type Dispatcher from 'undici/types/dispatcher';

/**
 * Makes `headersTimeout` a limit for the whole head of a reply. undici restarts it for each informational reply (1xx), so that a service
 * that sends them forever would never reach it.
 */
export const limitHeadTime: Dispatcher.DispatcherComposeInterceptor = dispatch => (options, handler) =>
	dispatch(options, options.headersTimeout ? new HeadTimer(handler, options.headersTimeout) : handler);

/** More than one per second in the longest time limit, half an hour. */
const mostInformational = 10_000;

class HeadTimer implements Dispatcher.DispatchHandler {
	readonly #handler: Dispatcher.DispatchHandler;
	readonly #limitMs: number;
	#sentAt = performance.now();
	#timer: NodeJS.Timeout | undefined;
	/** Number of informational replies so far. */
	#informational = 0;

	constructor(handler: Dispatcher.DispatchHandler, limitMs: number) {
		this.#handler = handler;
		this.#limitMs = limitMs;
	}

	onRequestStart(...parts: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>): void {
		this.#sentAt = performance.now();
		this.#handler.onRequestStart?.(...parts);
	}

	onRequestSent(): void {
		this.#sentAt = performance.now();
		this.#handler.onRequestSent?.();
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders, message?: string): void {
		if (status < 200) {
			if (++this.#informational > mostInformational) {
				controller.abort(new errors.HeadersOverflowError());
				return;
			}
			this.#timer ??= setTimeout(
				() => controller.abort(new errors.HeadersTimeoutError()),
				Math.max(0, this.#limitMs - (performance.now() - this.#sentAt)),
			);
		} else {
			clearTimeout(this.#timer);
		}
		this.#handler.onResponseStart?.(controller, status, headers, message);
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		this.#handler.onResponseData?.(controller, chunk);
	}

	onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
		this.#handler.onResponseEnd?.(controller, trailers);
	}

	onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
		clearTimeout(this.#timer);
		this.#handler.onResponseError?.(controller, error);
	}
}
