import { open } from 'node:fs/promises';

/** Bytes that are read at a time. */
const chunkSize = 1 << 18;
const lineFeed = 10;

/**
 * Finds the results whose line holds a text. Reads the file from its beginning to its end, which of 100,000 results takes a tenth of the time of reading
 * each; what was searched is not searched again while the file grows.
 */
export class ResultSearch {
	readonly #file: string;
	#text: string | undefined;
	#found = new Set<number>();
	/** In bytes, up to where it was searched. */
	#end = 0;

	constructor(file: string) {
		this.#file = file;
	}

	/**
	 * Places in bytes of the lines that hold a text, in small and capital letters alike, among the first `size` bytes of the file, which end with a line.
	 * `undefined` where the signal ended it. Rejects where the file cannot be read.
	 */
	async findMatches(text: string, size: number, signal: AbortSignal): Promise<ReadonlySet<number> | undefined> {
		// as it stands in JSON
		const wanted = JSON.stringify(text).slice(1, -1).toLowerCase();
		if (this.#text !== wanted) {
			[this.#text, this.#found, this.#end] = [wanted, new Set(), 0];
		}
		const handle = await open(this.#file);
		try {
			let length = chunkSize;
			while (this.#end < size) {
				if (signal.aborted) {
					return undefined;
				}
				const piece = Buffer.alloc(Math.min(length, size - this.#end));
				const { bytesRead } = await handle.read(piece, 0, piece.length, this.#end);
				if (bytesRead === 0) {
					break;
				}
				const whole = piece.lastIndexOf(lineFeed, bytesRead - 1) + 1;
				if (whole === 0) {
					// a line that is longer than a piece
					length *= 2;
					continue;
				}
				this.#searchLines(piece.subarray(0, whole), wanted);
				this.#end += whole;
				length = chunkSize;
			}
			return this.#found;
		} finally {
			await handle.close();
		}
	}

	#searchLines(lines: Buffer, wanted: string): void {
		// most pieces hold none
		if (!lines.toString('utf8').toLowerCase().includes(wanted)) {
			return;
		}
		let start = 0;
		for (let end = lines.indexOf(lineFeed); end >= 0; end = lines.indexOf(lineFeed, start)) {
			if (lines.toString('utf8', start, end).toLowerCase().includes(wanted)) {
				this.#found.add(this.#end + start);
			}
			start = end + 1;
		}
	}
}
