import type { ServerResponse } from 'node:http';

/** A reader is let go when so many bytes wait for it and it has taken none for so long. Those that take nothing for a minute the server lets go. */
const patience = [
	{ bytes: 256 * 1024 * 1024, ms: 0 },
	{ bytes: 16 * 1024 * 1024, ms: 5_000 },
] as const;

/** Bytes handed to the connection at a time: that they were taken is the sign that the reader reads. */
const pieceBytes = 64 * 1024;

/**
 * What waits for the reader of a response. It is written in small pieces, each when the one before was taken: so a reader that is slow is told from
 * one that has stopped, however much waits for it.
 */
export class PacedOutput {
	readonly #response: ServerResponse;
	readonly #now: () => number;
	#queue: Buffer[] = [];
	#queued = 0;
	/** When the reader last took something, or began to keep us waiting. */
	#movedAt: number;
	#ending = false;
	readonly #waiting = new Set<() => void>();

	/** `now`: milliseconds of a clock that only goes forward. */
	constructor(response: ServerResponse, now = () => performance.now()) {
		this.#response = response;
		this.#now = now;
		this.#movedAt = now();
		response.on('drain', () => {
			this.#movedAt = this.#now();
			this.#pump();
		});
		response.once('close', () => {
			this.#queue = [];
			this.#queued = 0;
			this.#wake();
		});
	}

	/** Sends text after all that waits. Does nothing once the reader is gone or {@link end} was called. */
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
		this.#pump();
		this.check();
	}

	/** Lets a reader go that does not keep up. To be called from time to time while nothing is sent. */
	check(): void {
		const still = this.#now() - this.#movedAt;
		const bytes = this.#queued + this.#response.writableLength;
		if (patience.some(limit => bytes > limit.bytes && still > limit.ms)) {
			this.#response.destroy();
		}
	}

	/** Resolves when the reader has taken nearly all that was sent, or is gone. */
	async room(): Promise<void> {
		while (this.#queued > 0 || (this.#response.writableNeedDrain && !this.#response.destroyed)) {
			await new Promise<void>(resolve => this.#waiting.add(resolve));
		}
	}

	/** Ends the response after all that waits. */
	end(): void {
		this.#ending = true;
		this.#pump();
	}

	#pump(): void {
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
		this.#wake();
	}

	#wake(): void {
		for (const resolve of this.#waiting) {
			resolve();
		}
		this.#waiting.clear();
	}
}
