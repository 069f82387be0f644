import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait behind one another on a connection: no known client sends so many before it has read an answer. */
const maxWaiting = 100;

interface Waiting {
	readonly response: ServerResponse;
	serve(): void;
}

/**
 * Requests of each connection, one after the other: HTTP answers them in order anyway, so what a client has sent ahead needs no memory for answers
 * that cannot go out yet. A connection on which too many wait is cut.
 */
export class ConnectionLines {
	/** By connection: what waits behind the request that is answered now. */
	readonly #lines = new WeakMap<Socket, Waiting[]>();

	/** Calls `serve` when it is the request's turn; never, if its connection ends before. */
	enter(response: ServerResponse, serve: () => void): void {
		const { socket } = response.req;
		const line = this.#lines.get(socket);
		if (!line) {
			this.#lines.set(socket, []);
			this.#begin(socket, { response, serve });
		} else if (line.length < maxWaiting) {
			line.push({ response, serve });
		} else {
			line.length = 0;
			socket.destroy();
		}
	}

	/** Whether a request of this connection is being answered. */
	isBusy(socket: Socket): boolean {
		return this.#lines.has(socket);
	}

	#begin(socket: Socket, { response, serve }: Waiting): void {
		// an answer that has no connection any more is never closed either
		if (response.socket === null) {
			this.#lines.delete(socket);
			return;
		}
		response.on('close', () => {
			const next = this.#lines.get(socket)?.shift();
			if (next) {
				this.#begin(socket, next);
			} else {
				this.#lines.delete(socket);
			}
		});
		serve();
	}
}
