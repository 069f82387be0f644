import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum requests that may wait on one connection. No known client sends this many before it reads a response. */
const maxWaiting = 100;

interface Waiting {
	readonly response: ServerResponse;
	serve(): void;
}

/**
 * Serves the requests of each connection one after another. HTTP responds in order anyway, so this avoids storing responses to pipelined
 * requests that can't be sent yet. Closes a connection with too many waiting requests.
 */
export class ConnectionLines {
	/** Waiting requests by connection; an entry exists while a request is being served. */
	readonly #lines = new WeakMap<Socket, Waiting[]>();

	/**
	 * Returns the class that the HTTP server must create requests with. Node parses everything in a read of 64 KB before anything can pause or
	 * close the connection, which can be a thousand requests with their responses (5 MB). The parser only stops immediately at a request that
	 * counts as an upgrade. Without upgrade listeners, Node then closes the connection.
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

			/** Ignores the value that Node sets, so that upgrade requests get a response like all others. */
			set upgrade(_: boolean) {}
		};
	}

	/** Calls `serve` when it's the request's turn, or never if the connection closes before that. */
	enqueueRequest(response: ServerResponse, serve: () => void): void {
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
