import type { ServerResponse } from 'node:http';

/**
 * A client is disconnected if it reads nothing for `ms` while more than `bytes` are waiting. The server itself disconnects clients that
 * read nothing for a minute.
 */
const patience = [
	{ bytes: 256 * 1024 * 1024, ms: 0 },
	{ bytes: 16 * 1024 * 1024, ms: 5_000 },
] as const;

/** Maximum bytes per write. Each completed write shows that the client is still reading. */
const pieceBytes = 64 * 1024;

/**
 * Output that waits for the client of a response. Writes small chunks, each after the previous one was read, to distinguish slow clients
 * from stalled ones.
 */
export class PacedOutput {
	readonly #response: ServerResponse;
	readonly #now: () => number;
	#queue: Buffer[] = [];
	#queued = 0;
	/** Time when the client last read something, or when output began to wait. */
	#movedAt: number;
	#ending = false;
	readonly #waiting = new Set<() => void>();

	/** @param now returns the milliseconds of a monotonic clock */
	constructor(response: ServerResponse, now = () => performance.now()) {
		this.#response = response;
		this.#now = now;
		this.#movedAt = now();
		response.on('drain', () => {
			this.#movedAt = this.#now();
			this.#writeChunks();
		});
		response.once('close', () => {
			this.#queue = [];
			this.#queued = 0;
			this.#notifyWaiting();
		});
	}

	/** Sends text after all waiting output. Does nothing if the client has disconnected, or after {@link endOutput}. */
	send(text: string): void {
		const response = this.#response;
		if (response.destroyed || this.#ending) {
			return;
		}
		if (this.#queued === 0 && !response.writableNeedDrain) {
			this.#movedAt = this.#now();
			if (text.length <= pieceBytes) {
				response.write(text);
				return;
			}
		}
		const bytes = Buffer.from(text);
		this.#queue.push(bytes);
		this.#queued += bytes.length;
		this.#writeChunks();
		this.checkReader();
	}

	/** Disconnects a client that doesn't keep up. Must be called regularly while nothing is sent. */
	checkReader(): void {
		const still = this.#now() - this.#movedAt;
		const bytes = this.#queued + this.#response.writableLength;
		if (patience.some(limit => bytes > limit.bytes && still > limit.ms)) {
			this.#response.destroy();
		}
	}

	/** Resolves when the client has received nearly everything or has disconnected. */
	async waitForRoom(): Promise<void> {
		while (this.#queued > 0 || (this.#response.writableNeedDrain && !this.#response.destroyed)) {
			await new Promise<void>(resolve => this.#waiting.add(resolve));
		}
	}

	/** Ends the response after all waiting output. */
	endOutput(): void {
		this.#ending = true;
		this.#writeChunks();
	}

	#writeChunks(): void {
		const response = this.#response;
		let done = 0;
		while (done < this.#queue.length && !response.writableNeedDrain && !response.destroyed) {
			const bytes = this.#queue[done] as Buffer;
			const piece = bytes.subarray(0, pieceBytes);
			response.write(piece);
			this.#queued -= piece.length;
			if (piece.length === bytes.length) {
				done++;
			} else {
				this.#queue[done] = bytes.subarray(piece.length);
			}
		}
		this.#queue.splice(0, done);
		if (this.#queued > 0) {
			return;
		}
		if (this.#ending && !response.destroyed) {
			response.end();
		}
		this.#notifyWaiting();
	}

	#notifyWaiting(): void {
		for (const resolve of this.#waiting) {
			resolve();
		}
		this.#waiting.clear();
	}
}
