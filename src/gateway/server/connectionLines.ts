import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum requests that may wait on one connection; no known client sends this many before reading a response. */
const maxWaiting = 100;

interface Waiting {
	readonly response: ServerResponse;
	serve(): void;
}

/**
 * Serves the requests of each connection one after another. HTTP responds in order anyway, so pipelined requests need no memory for
 * responses that can't be sent yet. Closes a connection with too many waiting requests.
 */
export class ConnectionLines {
	/** Waiting requests by connection; an entry exists while a request is being served. */
	readonly #lines = new WeakMap<Socket, Waiting[]>();

	/**
	 * Returns the class that the HTTP server has to create requests with. Node parses everything in a read of 64 KB before anything can
	 * pause or close the connection: a thousand requests with their responses, 5 MB. Only a request that counts as an upgrade makes the
	 * parser stop immediately; without upgrade listeners, Node then closes the connection.
	 */
	createRequestClass(): typeof IncomingMessage {
		const isFull = (socket: Socket) => this.#isFull(socket);
		return class extends IncomingMessage {
			readonly #isTooMuch: boolean;

			constructor(socket: Socket) {
				super(socket);
				this.#isTooMuch = isFull(socket);
			}

			get upgrade(): boolean {
				return this.#isTooMuch || this.method === 'CONNECT';
			}

			/** Ignores Node's own value: requests for upgrades get a response like all others. */
			set upgrade(_: boolean) {}
		};
	}

	/** Calls `serve` when it's the request's turn; never if its connection closes before. */
	enqueue(response: ServerResponse, serve: () => void): void {
		const { socket } = response.req;
		const line = this.#lines.get(socket);
		if (!line) {
			this.#lines.set(socket, []);
			this.#serveRequest(socket, { response, serve });
		} else {
			line.push({ response, serve });
		}
	}

	#isFull(socket: Socket): boolean {
		return (this.#lines.get(socket)?.length ?? 0) >= maxWaiting;
	}

	/** True while a request of this connection is being served. */
	isBusy(socket: Socket): boolean {
		return this.#lines.has(socket);
	}

	#serveRequest(socket: Socket, { response, serve }: Waiting): void {
		// a response without a connection never emits 'close'
		if (response.socket === null) {
			this.#lines.delete(socket);
			return;
		}
		response.on('close', () => {
			const next = this.#lines.get(socket)?.shift();
			if (next) {
				this.#serveRequest(socket, next);
			} else {
				this.#lines.delete(socket);
			}
		});
		serve();
	}
}
