import type { AgentErrorBody } from '../../protocol/errors.ts';
import { pingIntervalMs } from '../../protocol/events.ts';
import { errorBody } from './errorBody.ts';
import type { Exchange } from './exchange.ts';
import { ServiceFault } from './serviceFault.ts';

/** A reader is let go when so many bytes wait for it and it has taken none for so long: many at once is a burst, few for long a pause. */
const patience = [
	{ bytes: 256 * 1024 * 1024, ms: 0 },
	{ bytes: 16 * 1024 * 1024, ms: 5_000 },
	{ bytes: 0, ms: 60_000 },
] as const;

/**
 * The response of a streaming run: one event a chunk, `data: <JSON>` and a blank line (contract, "Events"), a ping every 10 s. A reader that does not
 * keep up is let go; the run goes on.
 */
export class EventStream {
	readonly #exchange: Exchange;
	readonly #ping: NodeJS.Timeout;
	#stalledSince: number | undefined;

	constructor(exchange: Exchange) {
		this.#exchange = exchange;
		const { response } = exchange;
		response.writeHead(200, {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			'x-accel-buffering': 'no',
			'request-id': exchange.id,
		});
		response.flushHeaders();
		this.#ping = setInterval(() => this.send('{"event":"ping"}'), pingIntervalMs);
		response.once('close', () => clearInterval(this.#ping));
		response.on('drain', () => {
			this.#stalledSince = undefined;
		});
	}

	/** Sends one event, given as JSON on one line. Does nothing once the client is gone. */
	send(json: string): void {
		const { response } = this.#exchange;
		if (response.destroyed || response.writableEnded) {
			return;
		}
		if (this.#stalledSince !== undefined && this.#isOutOfPatience(this.#stalledSince)) {
			response.destroy();
			return;
		}
		response.write(`data: ${json}\n\n`);
		if (response.writableNeedDrain) {
			this.#stalledSince ??= performance.now();
		}
	}

	/** Ends the stream with an `error` event, for what goes wrong after the stream was opened (contract, "Events"). */
	fail(error: unknown): void {
		const fault = error instanceof ServiceFault ? error : new ServiceFault(500, 'Internal Server Error, please contact support.');
		const { code, message, status } = errorBody('agent', fault, this.#exchange.id) as AgentErrorBody;
		this.send(JSON.stringify({ event: 'error', status, code, message }));
		this.end();
	}

	end(): void {
		clearInterval(this.#ping);
		if (!this.#exchange.response.destroyed) {
			this.#exchange.response.end();
		}
	}

	#isOutOfPatience(since: number): boolean {
		const stalled = performance.now() - since;
		return patience.some(({ bytes, ms }) => this.#exchange.response.writableLength > bytes && stalled > ms);
	}
}
