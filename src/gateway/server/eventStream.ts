import type { AgentErrorBody } from '#contract/errors.ts';
import { pingIntervalMs } from '#contract/events.ts';
import { errorBody } from '#contract/faults/errorBody.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Exchange } from './exchange.ts';
import { PacedOutput } from './pacedOutput.ts';

/** What an `error` event says of the run and the message it belongs to (contract, "Events"). */
export interface StreamIds {
	readonly task_id: string;
	readonly message_id: string;
}

/**
 * The response of a streaming run: one event a chunk, `data: <JSON>` and a blank line (contract, "Events"), a ping every 10 s. A reader that does not
 * keep up is let go; the run goes on.
 */
export class EventStreamResponse {
	readonly #exchange: Exchange;
	readonly #output: PacedOutput;
	#ended = false;

	constructor(exchange: Exchange) {
		this.#exchange = exchange;
		const { response } = exchange;
		response.writeHead(200, {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			'x-accel-buffering': 'no',
			...exchange.idHeaders,
		});
		response.flushHeaders();
		this.#output = new PacedOutput(response);
		const beat = setInterval(() => {
			if (this.#ended) {
				this.#output.check();
			} else {
				this.send('{"event":"ping"}');
			}
		}, pingIntervalMs);
		response.once('close', () => clearInterval(beat));
	}

	/** Sends one event, given as JSON on one line. Does nothing once the client is gone. */
	send(json: string): void {
		this.#output.send(`data: ${json}\n\n`);
	}

	/** Resolves when the client has taken nearly all that was sent, or is gone. */
	room(): Promise<void> {
		return this.#output.room();
	}

	/** Ends the stream with an `error` event, for what goes wrong after the stream was opened. */
	fail(error: unknown, ids: StreamIds): void {
		const fault = error instanceof ServiceFault ? error : new ServiceFault(500, 'Internal Server Error, please contact support.');
		const { code, message, status } = errorBody('agent', fault, this.#exchange.id) as AgentErrorBody;
		this.send(JSON.stringify({ event: 'error', ...ids, status, code, message }));
		this.end();
	}

	end(): void {
		this.#ended = true;
		this.#output.end();
	}
}
