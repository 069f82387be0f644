import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait behind one another on a connection: no known client sends so many before it has read an answer. */
const maxWaiting = 100;

interface Waiting {
	readonly response: ServerResponse;
	serve(): void;
}

/**
 * Serves the requests of each connection one after another. HTTP answers them in order anyway, so requests that a client has sent ahead need no memory
 * for responses that can't go out yet. A connection with too many waiting requests is closed.
 */
export class ConnectionLines {
	/** By connection: requests waiting for the one that is served now. */
	readonly #lines = new WeakMap<Socket, Waiting[]>();

	/**
	 * The class that the HTTP server has to create requests with. Node parses everything a read of 64 KB brings before anybody can pause or close the
	 * connection: a thousand requests with their responses, 5 MB. A request that counts as an upgrade is the only thing that makes the parser stop at
	 * once; as there are no listeners for upgrades, Node then closes the connection.
	 */
	requestClass(): typeof IncomingMessage {
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

			/** Node's own view doesn't matter: requests for upgrades are answered like all others. */
			set upgrade(_: boolean) {}
		};
	}

	/** Calls `serve` when it is the request's turn; never if its connection closes before that. */
	enter(response: ServerResponse, serve: () => void): void {
		const { socket } = response.req;
		const line = this.#lines.get(socket);
		if (!line) {
			this.#lines.set(socket, []);
			this.#begin(socket, { response, serve });
		} else {
			line.push({ response, serve });
		}
	}

	#isFull(socket: Socket): boolean {
		return (this.#lines.get(socket)?.length ?? 0) >= maxWaiting;
	}

	/** Whether a request of this connection is being answered. */
	isBusy(socket: Socket): boolean {
		return this.#lines.has(socket);
	}

	#begin(socket: Socket, { response, serve }: Waiting): void {
		// a response without a connection never emits 'close'
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
