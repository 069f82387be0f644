import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { default as Dispatcher } from 'undici/types/dispatcher.d.ts';
import { createDecoder, findEncoding, UnreadableBodyError } from './compression.ts';

/**
 * Decompresses successful replies for the next handler, because a key can't be found in compressed bytes. Reads no faster than the next
 * handler, and passes on everything that arrived before an error.
 */
export class ReplyDecoder implements Dispatcher.DispatchHandler {
	readonly #next: NextHandler;
	#decoder: Transform | undefined;
	#error: Error | undefined;

	constructor(next: NextHandler) {
		this.#next = next;
	}

	onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
		this.#next.onRequestStart(controller, context);
	}

	onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
		const encoding = findEncoding(headers);
		this.#decoder = status >= 200 && status < 300 && encoding !== undefined ? createDecoder(encoding) : undefined;
		if (!this.#decoder) {
			this.#next.onResponseStart(controller, status, headers);
			return;
		}
		const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers;
		const decoded = this.#connectDecoder(this.#decoder, controller);
		this.#next.onResponseStart(decoded, status, rest);
	}

	/** Passes a decoder's output to the next handler. Returns the controller of that output. */
	#connectDecoder(decoder: Transform, controller: Dispatcher.DispatchController): Dispatcher.DispatchController {
		const output: Dispatcher.DispatchController = {
			get aborted() {
				return controller.aborted;
			},
			get paused() {
				return decoder.isPaused();
			},
			get reason() {
				return controller.reason;
			},
			pause: () => void decoder.pause(),
			resume: () => void decoder.resume(),
			abort: reason => {
				controller.abort(reason);
				decoder.destroy(reason);
			},
		};
		decoder.on('data', (chunk: Buffer) => this.#next.onResponseData(output, chunk));
		decoder.on('drain', () => controller.resume());
		decoder.on('end', () => {
			if (this.#error) {
				this.#next.onResponseError(output, this.#error);
			} else {
				this.#next.onResponseEnd(output, {});
			}
		});
		decoder.on('error', error => {
			controller.abort(error);
			this.#next.onResponseError(output, this.#error ?? new UnreadableBodyError());
		});
		return output;
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		if (!this.#decoder) {
			this.#next.onResponseData(controller, chunk);
		} else if (!this.#decoder.write(chunk)) {
			controller.pause();
		}
	}

	onResponseEnd(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void {
		if (this.#decoder) {
			this.#decoder.end();
		} else {
			this.#next.onResponseEnd(controller, trailers);
		}
	}

	onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
		if (this.#decoder) {
			this.#error = error;
			this.#decoder.end();
		} else {
			this.#next.onResponseError(controller, error);
		}
	}
}

type NextHandler = Required<
	Pick<Dispatcher.DispatchHandler, 'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'>
>;
