import type { AgentErrorBody } from '#contract/errors.ts';
import { pingIntervalMs } from '#contract/events.ts';
import { createErrorBody } from '#contract/faults/errorBody.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { Exchange } from './exchange.ts';
import { PacedOutput } from './pacedOutput.ts';

/** IDs in an `error` event: those of the run and its message (contract, "Events"). */
export interface StreamIds {
	readonly task_id: string;
	readonly message_id: string;
}

/**
 * The response of a streaming run: one event per chunk, as `data: <JSON>` and a blank line (contract, "Events"), with a ping every 10 s. A
 * client that doesn't keep up is disconnected, and the run continues.
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
				this.#output.checkReader();
			} else {
				this.send('{"event":"ping"}');
			}
		}, pingIntervalMs);
		response.once('close', () => clearInterval(beat));
	}

	/** Sends one event, given as JSON on one line. Does nothing after the client has disconnected. */
	send(json: string): void {
		this.#output.send(`data: ${json}\n\n`);
	}

	/** Resolves when the client has received nearly everything or has disconnected. */
	waitForRoom(): Promise<void> {
		return this.#output.waitForRoom();
	}

	/** Ends the stream with an `error` event, for errors after the stream was opened. */
	sendFailure(error: unknown, ids: StreamIds): void {
		const fault = error instanceof ServiceFault ? error : new ServiceFault(500, 'Internal Server Error, please contact support.');
		const { code, message, status } = createErrorBody('agent', fault, this.#exchange.id) as AgentErrorBody;
		this.send(JSON.stringify({ event: 'error', ...ids, status, code, message }));
		this.endStream();
	}

	endStream(): void {
		this.#ended = true;
		this.#output.endOutput();
	}
}
